// Documents for tests: a storage that counts from 0, and a small program run on real tensors and recorded.
//
// Thread safety: none.
//
// PyTorch: none
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "inspector/model/document.h"

namespace cutaway::inspector {

// A document with one tensor "x" of these sizes over a storage of `spare` elements more, whose element i holds i.
// Requires: every number is exact in `dtype`.
std::shared_ptr<Document> counting_document(const std::vector<int64_t>& sizes,
                                            ScalarType dtype = ScalarType::Float, int64_t spare = 0);

// A recorded program: views, a write, refused operations, a copy, an expanded tensor, releases, a name that moves.
std::shared_ptr<Document> recorded_document();
// The same, recorded to a file that stays.
void record_program(const std::string& path);

}  // namespace cutaway::inspector
