/** @file
 * libfem for C and for languages that call C. docs/api.md is the guide, examples/c a program.
 *
 * A simulation is an opaque handle. Every function that can fail returns a status, the exit codes
 * of the program `fem`; fem_message() then says what is wrong, in its words. No exception leaves
 * the library, and nothing is global: different handles may be used in different threads. A NULL
 * where an answer goes is FEM_BAD_INPUT.
 * Units SI, angles in radians, counter-clockwise positive. */
#ifndef LIBFEM_API_LIBFEM_H
#define LIBFEM_API_LIBFEM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A case and its run: opaque. */
typedef struct fem_simulation fem_simulation;

/** How a call ended: the exit codes of the program. */
typedef enum fem_status {
  FEM_OK = 0,            /**< done */
  FEM_BAD_INPUT = 2,     /**< the case, a name or a request is wrong */
  FEM_SOLVER_FAILED = 3, /**< the solver cannot go on; what was read and recorded stays good */
  FEM_FILE_FAILED = 4,   /**< a file cannot be read or written */
  FEM_DEFECT = 5         /**< of the library or of the call: please report it */
} fem_status;

/** "1.2.3", of the library that is linked. */
const char* fem_version(void);

/** An empty handle; NULL only if there is no memory. Give it back by fem_delete(). */
fem_simulation* fem_new(void);
/** Frees the handle and closes its results file. NULL is nothing to do. */
void fem_delete(fem_simulation* simulation);

/** Of the last call that failed with this handle; "" if none did. Valid until the next call. */
const char* fem_message(const fem_simulation* simulation);

/** A case file (docs/case-format.md). What the handle had before is gone. */
fem_status fem_load_file(fem_simulation* simulation, const char* path);
/** The text of a case file; files that it names are sought in the working folder. */
fem_status fem_load_text(fem_simulation* simulation, const char* json);

/** Records what `fem run` would, HDF5. Before the first advance. */
fem_status fem_record(fem_simulation* simulation, const char* path);

/* ---- time */

/** Of the state, s; NaN without a case. */
double fem_time(const fem_simulation* simulation);
/** When the run ends, s; NaN without a case. */
double fem_end(const fem_simulation* simulation);
/** Integrates to exactly `time`, the case's end at the latest. */
fem_status fem_advance_to(fem_simulation* simulation, double time);
/** One accepted step. */
fem_status fem_step(fem_simulation* simulation);
/** Ends the run where it is and closes the results file. */
fem_status fem_finish(fem_simulation* simulation);

/* ---- quantities, by their paths in a results file: "/hinges/root/angle" */

/** A quantity of the present state. */
typedef struct fem_quantity {
  const char* path;     /**< "/hinges/root/angle" */
  const char* unit;     /**< "N m"; "" of numbers without one */
  const char* meaning;  /**< in words, with the sign convention */
  size_t dimensions;    /**< 0: one number; 1 or 2 */
  size_t shape[2];      /**< of which the first `dimensions` are meant; values by rows */
  size_t size;          /**< numbers */
  const double* values; /**< at the present time; valid until the next call with this handle */
} fem_quantity;

/** The quantity of a path; FEM_BAD_INPUT, with the nearest path, if there is none. */
fem_status fem_find_quantity(fem_simulation* simulation, const char* path, fem_quantity* quantity);
/** All of them: index from 0; FEM_BAD_INPUT past the last one. */
fem_status fem_get_quantity(fem_simulation* simulation, size_t index, fem_quantity* quantity);
/** Row of a point in /points/position, /points/velocity and /points/acceleration. */
fem_status fem_find_point(fem_simulation* simulation, const char* name, size_t* row);

/* ---- events: velocity jumps, latches, stops */

/** Events so far. */
size_t fem_event_count(const fem_simulation* simulation);
/** An event: its time (s), object and words. Strings are valid until the next call with this
 * handle. */
fem_status fem_get_event(fem_simulation* simulation, size_t index, double* time, const char** name,
                         const char** what);

/* ---- laws: from the present time on (libfem/api/law_handle.hpp) */

/** Value, rate and acceleration at the present time. */
fem_status fem_get_law(fem_simulation* simulation, const char* name, double values[3]);
/** Constant; of a place (drive, support, length) only if it is there already. */
fem_status fem_set_law(fem_simulation* simulation, const char* name, double value);
/** From the present value with this rate and acceleration. */
fem_status fem_go_on(fem_simulation* simulation, const char* name, double rate,
                     double acceleration);
/** To `value` in `duration` (s), smoothly, and at rest there. */
fem_status fem_reach(fem_simulation* simulation, const char* name, double value, double duration);

#ifdef __cplusplus
}
#endif

#endif
