import type { OtherPrograms } from "@docket/core/other-programs"
import { translateClaudeAgent } from "./claude-agent.ts"
import { readClaudeDenials } from "./claude-denials.ts"
import { fromOpencode, isOpencodeFile, opencodeProjectSettings, opencodeUserSettings } from "./opencode-settings.ts"
import { findOtherFiles } from "./other-files.ts"

/** OpenCode's settings, Claude Code's agents and denials, and what lies in a project for these and for other programs. */
export const otherPrograms: OtherPrograms = {
  userSettings: opencodeUserSettings,
  projectSettings: opencodeProjectSettings,
  translateSettings: (file, value) => (isOpencodeFile(file) ? fromOpencode(value) : null),
  translateAgent: (origin, frontmatter) => (origin === "claude" ? translateClaudeAgent(frontmatter) : null),
  async readProject(levels, place) {
    const claude = await readClaudeDenials(levels, place)
    return { ...claude, files: (brought) => findOtherFiles(levels, { claude, brought }) }
  },
}
