// Everything one tensor is: the fields of its TensorImpl with their places in memory, its keys, and the verdicts on its
// strides with the rule that decided.
//
// PyTorch: c10/core/TensorImpl.h
#pragma once

#include <string>
#include <vector>

#include "inspector/model/session.h"

namespace cutaway::inspector {

struct CardField {
  std::string label;
  std::string value;
  std::string old_value;  // before the current event (or at the locked one), when it was another
  ObjectId link = 0;      // a tensor to go to
};

struct CardKey {
  std::string name;
  bool backend_key = false;  // the last stop, the kernel's own
};

// One bit of the key set, from bit 0 up.
struct CardKeyBit {
  std::string name;  // "CPUBit", "AutogradFunctionality"
  bool on = false;
  bool backend = false;  // of a backend; else of a functionality
};

// One dimension beside what row-major order would want of it (VIEW-2).
struct CardDim {
  int64_t size = 0;
  int64_t stride = 0;
  int64_t expected = 0;
  bool counts = true;  // false for size 1: never stepped over, so its stride does not matter
  bool fits() const { return !counts || stride == expected; }
};

struct CardVerdict {
  std::string label;  // "contiguous"
  std::string value;  // "no"
  std::string rule;   // the rule that decided, in a sentence
};

struct CardStructField {
  std::string name;
  size_t offset = 0;
  size_t size = 0;    // 0: a bit
  int group = 0;      // 0 prefix, 1 strided, 2 suffix
  std::string value;  // "" for what a trace does not know
};

struct CardModel {
  ObjectId tensor = 0;  // 0: nothing is selected
  std::string name;
  int color = 0;
  bool alive = true;
  std::vector<CardField> fields;
  std::vector<CardKey> keys;  // from low priority to high
  std::string first_key;
  std::vector<CardKeyBit> key_bits;
  std::vector<CardDim> dims;
  std::vector<CardVerdict> verdicts;
  std::vector<CardStructField> layout;
  size_t struct_size = 0;
};

CardModel make_card_model(const Session& session);

}  // namespace cutaway::inspector
