import { dirname, join } from "node:path"
import { userConfigDirectory } from "../config/user-directory.ts"
import type { InstructionFile } from "./instruction-file.ts"
import { type ReportProblem, readInstruction } from "./read-instruction.ts"

/** The user's own instructions: Docket's AGENTS.md, else what they wrote for Claude Code or for OpenCode. Null for none. */
export async function ownInstructions(
  user: { home: string; env: Record<string, string | undefined> },
  report: ReportProblem,
): Promise<InstructionFile | null> {
  const own = userConfigDirectory(user)
  const files = [
    join(own, "AGENTS.md"),
    join(user.home, ".claude", "CLAUDE.md"),
    join(dirname(own), "opencode", "AGENTS.md"),
  ]
  for (const file of files) {
    const read = await readInstruction(file, { top: null, home: user.home }, report)
    if (read !== null) return { name: file, content: read.text, pieces: read.pieces, from: "user" }
  }
  return null
}
