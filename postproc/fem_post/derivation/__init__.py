"""Equations of motion as formulas: Osiński's procedure (2000, §4), corrected.

| module      | what                                                                      |
|-------------|---------------------------------------------------------------------------|
| system      | a system of particles and rigid bodies as symbols: what the rest stands on |
| quasi       | quasi-velocities: velocities that are free, and the others by them        |
| equations   | C, E, Q, Q_B, D, Φ, Φ_B and the equations of motion                       |
| numbers     | the formulas evaluated, and solved again with multipliers                 |
| text        | the formulas as plain text and as LaTeX                                   |
| formula     | formulas that a user writes, in names                                     |
| case_system | a case as a system                                                        |
| case_rows   | the constraints of a case as rows                                         |
"""
