// What reads input from outside, each as a function of bytes that may be anything. It returns, or
// the program ends: a crash, a sanitizer's report, a broken promise (FEM_DEMAND), an exception that
// is none of those that the reader announces.
//
// libFuzzer calls one of them (libfuzzer_main.cpp, scripts/fuzz); the corpora in corpus/ are
// replayed by an ordinary test (replay_texts_test.cpp, replay_models_test.cpp).
#pragma once

#include <string_view>

namespace fem::fuzz {

/// A case as text: read, and made a model where that is cheap.
void read_case_text(std::string_view bytes);

/// A formula, and a law that is one: parsed, evaluated with numbers and with jets.
void read_formula(std::string_view bytes);

/// A table of numbers, by the numbers and by the names of its columns, and the law of it.
void read_table(std::string_view bytes);

/// A checkpoint: the bytes as the file, and as what is behind its checksum.
void read_checkpoint_file(std::string_view bytes);

/// Goes on from the state of a run in which the bytes have changed something.
void resume_changed_state(std::string_view bytes);

}  // namespace fem::fuzz
