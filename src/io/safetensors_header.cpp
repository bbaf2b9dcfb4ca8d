// See Note [JSON as a stream of events]. The events arrive in the order of the text; `place_` says which part of
// an entry the next one belongs to.
//
//   {                         Top
//     "__metadata__": {       Metadata
//       "k": "v" },
//     "w": {                  Entry, field_ = None until a key comes
//       "dtype": "F32",         field_ = Dtype
//       "shape": [              Shape
//         2, 3 ],
//       "later": {...}          Skip: a field that this version does not know, whatever is in it
//   } }
#include "io/safetensors_header.h"

#include <nlohmann/json.hpp>

#include "io/limits.h"
#include "io/outside_text.h"

namespace cutaway::io {

namespace {

// Iterates over the text and lets the handler know how far the parser has come.
class TrackingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackingIterator(const char* at, const char** farthest) : at_(at), farthest_(farthest) {}
  const char& operator*() const { return *at_; }
  TrackingIterator& operator++() {
    *farthest_ = ++at_;
    return *this;
  }
  bool operator==(const TrackingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** farthest_;
};

class Handler : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Handler(std::string_view text) : text_(text), farthest_(text.data()) {}

  const char** farthest() { return &farthest_; }
  SafetensorsHeader take() { return std::move(header_); }

  bool null() override { return value("null"); }
  bool boolean(bool) override { return value("a bool"); }
  bool number_integer(number_integer_t) override { return value("a negative number"); }
  bool number_unsigned(number_unsigned_t number) override;
  bool number_float(number_float_t, const string_t&) override {
    return value("a number that is not an integer of 64 bits");
  }
  bool string(string_t& text) override;
  bool binary(binary_t&) override { return value("binary data"); }
  bool start_object(size_t) override;
  bool end_object() override { return close(); }
  bool start_array(size_t) override;
  bool end_array() override { return close(); }
  bool key(string_t& text) override;
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception& error) override;

 private:
  enum class Place { Start, Top, Metadata, Entry, Shape, Offsets, Skip };
  enum class Field { None, Dtype, Shape, Offsets, Unknown };

  size_t offset() const { return static_cast<size_t>(farthest_ - text_.data()); }
  SafetensorsEntry& entry() { return header_.entries.back(); }
  [[noreturn]] static void fail(size_t offset, std::string problem) {
    throw SafetensorsHeaderError{offset, std::move(problem)};
  }
  void spoil(const std::string& why) {
    if (entry().reason.empty()) entry().reason = why;
  }

  bool value(const char* what);
  bool open(Place place);
  bool close();
  bool start_entry(const std::string& name);
  bool start_field(const std::string& name);

  std::string_view text_;
  const char* farthest_;
  SafetensorsHeader header_;
  Place place_ = Place::Start;
  std::vector<Place> around_;  // the places that enclose place_
  Field field_ = Field::None;
  std::string metadata_key_;
  bool metadata_seen_ = false;
  bool metadata_next_ = false;  // the value that comes is that of "__metadata__"
};

const char* field_text(bool shape) { return shape ? "'shape'" : "'data_offsets'"; }

// A value that is none of those the format has in this place.
bool Handler::value(const char* what) {
  switch (place_) {
    case Place::Start: fail(0, std::string("the header must be a JSON object, got ") + what);
    case Place::Top:
      if (metadata_next_) {
        header_.notes.push_back(std::string("__metadata__ is ") + what +
                                " instead of an object; it was left out");
        metadata_next_ = false;
      } else {
        spoil(std::string("its description is ") + what + " instead of an object");
      }
      return true;
    case Place::Metadata:
      header_.notes.push_back("the value of " + in_quotes(metadata_key_) + " in __metadata__ is " + what +
                              " instead of a string; it was left out");
      return true;
    case Place::Entry:
      if (field_ == Field::Dtype) spoil(std::string("its 'dtype' is ") + what + " instead of a string");
      if (field_ == Field::Shape || field_ == Field::Offsets) {
        spoil(std::string("its ") + field_text(field_ == Field::Shape) + " is " + what +
              " instead of an array");
      }
      return true;
    case Place::Shape:
    case Place::Offsets:
      spoil(std::string("its ") + field_text(place_ == Place::Shape) + " holds " + what);
      return true;
    case Place::Skip: return true;
  }
  return true;
}

bool Handler::number_unsigned(number_unsigned_t number) {
  if (place_ == Place::Shape) {
    std::vector<int64_t>& sizes = *entry().sizes;
    if (number > INT64_MAX) {
      spoil("its 'shape' holds a size beyond 63 bits");
    } else if (sizes.size() == kMaxRank) {
      spoil("it has more than " + std::to_string(kMaxRank) + " dimensions");
    } else {
      sizes.push_back(static_cast<int64_t>(number));
    }
    return true;
  }
  if (place_ == Place::Offsets) {
    std::vector<uint64_t>& offsets = *entry().offsets;
    if (offsets.size() == 2) {
      spoil("its 'data_offsets' has more than two numbers");
    } else {
      offsets.push_back(number);
    }
    return true;
  }
  return value("a number");
}

bool Handler::string(string_t& text) {
  if (place_ == Place::Entry && field_ == Field::Dtype) {
    entry().dtype = text;
    return true;
  }
  if (place_ != Place::Metadata) return value("a string");
  if (header_.metadata.size() == kMaxMetadataPairs || text.size() > kMaxMetadataBytes) {
    header_.notes.push_back("the metadata " + in_quotes(metadata_key_) + " was left out: at most " +
                            std::to_string(kMaxMetadataPairs) + " pairs of " +
                            std::to_string(kMaxMetadataBytes) + " bytes are kept");
    return true;
  }
  header_.metadata.emplace_back(shown(metadata_key_), shown(text));
  return true;
}

bool Handler::open(Place place) {
  if (around_.size() >= static_cast<size_t>(kMaxJsonNesting)) {
    fail(offset(), "objects and arrays are nested deeper than " + std::to_string(kMaxJsonNesting));
  }
  around_.push_back(place_);
  place_ = place;
  return true;
}

bool Handler::close() {
  place_ = around_.back();
  around_.pop_back();
  return true;
}

bool Handler::start_object(size_t) {
  if (place_ == Place::Start) return open(Place::Top);
  if (place_ == Place::Top) {
    const bool metadata = metadata_next_;
    metadata_next_ = false;
    field_ = Field::None;
    return open(metadata ? Place::Metadata : Place::Entry);
  }
  value("an object");
  return open(Place::Skip);
}

bool Handler::start_array(size_t) {
  if (place_ == Place::Entry && field_ == Field::Shape) {
    entry().sizes.emplace();
    return open(Place::Shape);
  }
  if (place_ == Place::Entry && field_ == Field::Offsets) {
    entry().offsets.emplace();
    return open(Place::Offsets);
  }
  value("an array");
  return open(Place::Skip);
}

bool Handler::key(string_t& text) {
  switch (place_) {
    case Place::Top: return start_entry(text);
    case Place::Entry: return start_field(text);
    case Place::Metadata: metadata_key_ = text; return true;
    default: return true;
  }
}

bool Handler::start_entry(const std::string& name) {
  if (name == "__metadata__") {
    if (metadata_seen_) header_.notes.push_back("__metadata__ is there twice");
    metadata_seen_ = metadata_next_ = true;
    return true;
  }
  if (header_.entries.size() == kMaxTensors) {
    fail(offset(), "the header describes more than " + std::to_string(kMaxTensors) + " tensors");
  }
  header_.entries.emplace_back();
  entry().name = name;
  entry().text_offset = offset();
  return true;
}

bool Handler::start_field(const std::string& name) {
  field_ = name == "dtype"          ? Field::Dtype
           : name == "shape"        ? Field::Shape
           : name == "data_offsets" ? Field::Offsets
                                    : Field::Unknown;
  const bool twice = (field_ == Field::Dtype && entry().dtype) || (field_ == Field::Shape && entry().sizes) ||
                     (field_ == Field::Offsets && entry().offsets);
  if (twice) spoil("its " + in_quotes(name) + " is there twice");
  return true;
}

bool Handler::parse_error(size_t position, const std::string&, const nlohmann::json::exception& error) {
  // The library's text is "[...] parse error at line 1, column 5: what was wrong"; the place is told our way.
  const std::string text = error.what();
  const size_t prefix = text.find(": ");
  const size_t at = position > 0 ? position - 1 : 0;
  fail(std::min(at, text_.size()),
       "the JSON is broken: " + shown(prefix == std::string::npos ? text : text.substr(prefix + 2)));
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text) {
  Handler handler(text);
  const TrackingIterator begin(text.data(), handler.farthest());
  const TrackingIterator end(text.data() + text.size(), handler.farthest());
  nlohmann::json::sax_parse(begin, end, &handler);
  return handler.take();
}

}  // namespace cutaway::io
