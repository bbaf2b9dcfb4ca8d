#include "io/packed_tensor.h"

#include "core/error.h"
#include "io/outside_text.h"

namespace cutaway::io {

void require_packed(const char* writer, const PackedTensor& tensor) {
  TensorEntry entry;
  entry.sizes = tensor.sizes;
  entry.itemsize = element_size(tensor.dtype);
  CUTAWAY_CHECK_VALUE(entry.itemsize > 0, writer, ": tensor ", in_quotes(tensor.name), " has no dtype");
  const std::string problem = lay_out(entry, tensor.order);
  CUTAWAY_CHECK_VALUE(problem.empty(), writer, ": tensor ", in_quotes(tensor.name), ": ", problem);
  CUTAWAY_CHECK_VALUE(entry.storage_nbytes == tensor.data_nbytes, writer, ": tensor ", in_quotes(tensor.name),
                      " of shape ", shape_text(tensor.sizes), " and dtype ", dtype_name(tensor.dtype),
                      " needs ", entry.storage_nbytes, " bytes, got ", tensor.data_nbytes);
  CUTAWAY_CHECK_VALUE(tensor.data || tensor.data_nbytes == 0, writer, ": tensor ", in_quotes(tensor.name),
                      " has no data");
}

}  // namespace cutaway::io
