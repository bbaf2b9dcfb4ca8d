#include "trace/event.h"

namespace cutaway::trace {

Lane lane_of(EventKind kind) {
  switch (kind) {
    case EventKind::StorageAllocated:
    case EventKind::StorageFreed:
    case EventKind::StorageResized: return Lane::Alloc;
    case EventKind::ViewMade: return Lane::View;
    case EventKind::Write:
    case EventKind::VersionChanged: return Lane::Write;
    case EventKind::TensorMade:
    case EventKind::TensorChanged:
    case EventKind::TensorReleased:
    case EventKind::TensorNamed: return Lane::Tensor;
    case EventKind::CountsChanged: return Lane::Refs;
    case EventKind::OpBegin:
    case EventKind::OpEnd: return Lane::Op;
    case EventKind::Error:
    case EventKind::Mark: return Lane::Mark;
  }
  return Lane::Mark;
}

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::StorageAllocated: return "storage allocated";
    case EventKind::StorageFreed: return "storage freed";
    case EventKind::StorageResized: return "storage resized";
    case EventKind::CountsChanged: return "counts changed";
    case EventKind::TensorMade: return "tensor made";
    case EventKind::TensorChanged: return "tensor changed";
    case EventKind::TensorReleased: return "tensor released";
    case EventKind::TensorNamed: return "tensor named";
    case EventKind::ViewMade: return "view made";
    case EventKind::Write: return "write";
    case EventKind::VersionChanged: return "version";
    case EventKind::OpBegin: return "op begins";
    case EventKind::OpEnd: return "op ends";
    case EventKind::Error: return "error";
    case EventKind::Mark: return "mark";
  }
  return "unknown";
}

const char* to_string(Lane lane) {
  switch (lane) {
    case Lane::Alloc: return "alloc";
    case Lane::View: return "view";
    case Lane::Write: return "write";
    case Lane::Tensor: return "tensor";
    case Lane::Refs: return "refs";
    case Lane::Op: return "op";
    case Lane::Mark: return "mark";
  }
  return "unknown";
}

}  // namespace cutaway::trace
