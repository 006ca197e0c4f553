"""Post-processing of libfem results: what `fem run` wrote, as pictures and reports.

| module         | what                                                              |
|----------------|-------------------------------------------------------------------|
| results        | the HDF5 file as names → arrays, read when asked for              |
| case_text      | the case (JSON with comments) inside the file                     |
| shapes         | curves of rods between their nodes, pure functions                |
| sections       | forces, stresses and places of sections anywhere along a rod      |
| line_loads     | what acts along elements, and what section forces owe to it       |
| section_table  | the same as text or CSV                                           |
| packing        | panels of given proportions side by side without waste            |
| labels         | names in a picture where they hide least                          |
| style          | colours, sizes, rendering to bytes                                |
| symbols        | signs of mechanics: supports, centres of mass, springs            |
| structure      | what is drawn of a structure, as arrays                           |
| drawing        | one configuration of a structure in a picture                     |
| configurations | figure: the structure at a sequence of times, or along a path     |
| histories      | figures: coordinates of points, hinges and bodies, energy ledger  |
| paths          | figure: load factor over displacements                            |
| modes          | figure: mode shapes                                               |
| report         | the summary of a run: as HTML and as plain text                   |
| frames         | which rows are the frames of an animation                         |
| movie          | a run as a film                                                   |
| animation_page | a run as an HTML page that plays it; web/ has its script          |
| quantities     | what runs can be compared by, as histories of named places        |
| compared_runs  | two results files as comparable runs, meshes aligned              |
| csv_run        | a CSV file as a run                                               |
| scalar_names   | names of single histories: the headings of CSV files              |
| interpolation  | histories between their output times                              |
| comparison     | where and by how much two runs differ                             |
| comparison_text| the same as a table and as JSON                                   |
| curves         | the structure as points, cells and fields                         |
| xdmf           | these as XDMF with HDF5                                           |
| csv_export     | histories as CSV                                                  |
| derivation     | equations of motion as formulas, a package of its own             |
| pictures       | which figures a results file has data for                         |
| command        | what commands share: exit codes, messages, files                  |
| commands       | the commands, one a module                                        |
| main           | arguments, and what becomes of errors                             |
"""
