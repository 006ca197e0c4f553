/* A case file from C: steps on, reads quantities by their paths, tells events. */
#include <libfem/api/libfem.h>
#include <stdio.h>
#include <stdlib.h>

static void demand(fem_simulation* run, fem_status status) {
  if (status == FEM_OK) return;
  fprintf(stderr, "%s\n", fem_message(run));
  fem_delete(run);
  exit(status);
}

static double read_number(fem_simulation* run, const char* path) {
  fem_quantity quantity;
  demand(run, fem_find_quantity(run, path, &quantity));
  return quantity.values[0];
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: two_rods CASE.json\n");
    return 2;
  }
  fem_simulation* run = fem_new();
  if (run == NULL) return 3;
  demand(run, fem_load_file(run, argv[1]));

  size_t tip;
  demand(run, fem_find_point(run, "B", &tip));
  for (int i = 0; i <= 6; ++i) {
    demand(run, fem_advance_to(run, fem_end(run) * i / 6));
    fem_quantity position;
    demand(run, fem_find_quantity(run, "/points/position", &position));
    const double* place = position.values + tip * position.shape[1];
    printf("t = %.1f s: tip at (%7.4f, %7.4f) %s", fem_time(run), place[0], place[1],
           position.unit);
    printf(", elbow at %7.4f rad\n", read_number(run, "/hinges/elbow/angle"));
  }
  for (size_t i = 0; i < fem_event_count(run); ++i) {
    double time;
    const char *name, *what;
    demand(run, fem_get_event(run, i, &time, &name, &what));
    printf("%.6f s: %s %s\n", time, name, what);
  }
  fem_delete(run);
  return 0;
}
