/** The kinds of instruction file, best first. A directory gives the first kind that it has. */
export const instructionNames = ["AGENTS.md", "CLAUDE.md", ".claude/CLAUDE.md", "CONTEXT.md"]
