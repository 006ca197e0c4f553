"""The commands of fem-post, one a module; COMMANDS are those that `fem-post --help` lists."""

from fem_post.commands import animate, compare, derive, export, modes, pack, plot, report, section

COMMANDS = (plot.COMMAND, report.COMMAND, animate.COMMAND, modes.COMMAND,
            section.COMMAND, compare.COMMAND, export.COMMAND, pack.COMMAND, derive.COMMAND)
