// RAII over the C API of HDF5 1.10, as much of it as results and checkpoints need. hdf5.cpp is
// the only file that includes hdf5.h. Every failure is a FileError with the file's name and
// HDF5's innermost reason; HDF5 itself prints nothing, and its settings are left as they were.
//
// A table is a dataset whose first dimension grows: one row an output time. A file opened with
// Access::append keeps what is on disk consistent at every instant (HDF5's single writer,
// multiple readers): only rows can be written, no object or attribute can be made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fem::hdf5 {

/// Owns an identifier of a file, group or dataset.
class Handle {
 public:
  using Close = int (*)(std::int64_t);
  Handle(std::int64_t id, Close closer) noexcept : id_(id), closer_(closer) {}
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&&) = delete;
  ~Handle();  ///< closes; a failure is lost, see close()

  [[nodiscard]] std::int64_t id() const noexcept { return id_; }
  void close();  ///< FileError if what is still in memory cannot be written

 private:
  std::int64_t id_;
  Close closer_;
};

enum class Access {
  read,    ///< nothing may change; others may write meanwhile
  edit,    ///< everything may change; others can not open the file meanwhile
  append,  ///< rows may be written; others can read meanwhile (h5py: swmr=True)
};

/// For a program that ends when its files are closed, before its first other call: HDF5 then does
/// nothing at exit. Where memory has run out it crashes there (1.10.8, of a file half closed).
void forgo_exit_handler();

[[nodiscard]] Handle create_file(const std::filesystem::path& path);  ///< replaces an existing one
[[nodiscard]] Handle open_file(const std::filesystem::path& path, Access access);
[[nodiscard]] bool is_hdf5(const std::filesystem::path& path);  ///< an HDF5 file stands there
/// Takes off the mark that a writer leaves which was killed, lets the file end behind all that it
/// wrote (h5clear -s -i), and mends indices of tables that it had written in half (hdf5_index.hpp);
/// nobody may write the file.
void clear_writer_mark(const std::filesystem::path& path);
void flush(const Handle& file);  ///< to the operating system: it survives the end of the process

/// Groups list their members in the order of creation.
Handle create_group(const Handle& file, const std::string& path);

/// What a dataset holds: reals, or UTF-8 texts of a fixed number of bytes, padded with zeros.
struct Element {
  std::size_t text_bytes = 0;  ///< 0: a real (double)
};

/// Makes a table with no rows; `row` is the shape of a row, empty for one element.
Handle create_table(const Handle& file, const std::string& path, Element element,
                    std::span<const std::size_t> row);
[[nodiscard]] Handle open_table(const Handle& file, const std::string& path);
[[nodiscard]] std::size_t row_count(const Handle& table);

/// Whether something stands at the path.
[[nodiscard]] bool has(const Handle& file, const std::string& path);

/// Names of the members of a group, in alphabetical order.
[[nodiscard]] std::vector<std::string> list_members(const Handle& file, const std::string& group);

/// The reals of one row of a table; of a dataset with one dimension, one of them.
[[nodiscard]] std::vector<double> read_row(const Handle& table, std::size_t row);

/// All reals of a dataset, row after row; all texts of fixed size, without their padding.
[[nodiscard]] std::vector<double> read_values(const Handle& dataset);
[[nodiscard]] std::vector<std::string> read_texts(const Handle& dataset);

/// Attributes, if they are there.
[[nodiscard]] std::optional<double> find_number(const Handle& object, const std::string& name);
[[nodiscard]] std::optional<std::string> find_text(const Handle& object, const std::string& name);

/// Bytes by which the file grows, at most, when a table with `first` rows gets `count` more.
[[nodiscard]] std::size_t calc_growth(Element element, std::span<const std::size_t> row,
                                      std::size_t first, std::size_t count);

/// Writes whole rows from row `first` on; the table ends behind them, or before if it fails.
void write_rows(const Handle& table, std::size_t first, std::span<const double> values);
void write_rows(const Handle& table, std::size_t first, std::string_view texts);

/// Cuts a table behind its first `rows` rows.
void truncate_rows(const Handle& table, std::size_t rows);

/// Takes a group or dataset out of the file.
void remove(const Handle& file, const std::string& path);

/// Datasets that do not grow. Texts are stored with the size of the longest.
Handle create_array(const Handle& file, const std::string& path, std::span<const int> values);
Handle create_array(const Handle& file, const std::string& path,
                    const std::vector<std::string>& texts);
Handle create_text(const Handle& file, const std::string& path, const std::string& text);

/// Makes or replaces an attribute; a file stands for its root group.
void set_attribute(const Handle& object, const std::string& name, double value);
void set_attribute(const Handle& object, const std::string& name, std::int64_t value);
void set_attribute(const Handle& object, const std::string& name, const std::string& text);
void set_attribute(const Handle& object, const std::string& name,
                   const std::vector<std::string>& texts);

}  // namespace fem::hdf5
