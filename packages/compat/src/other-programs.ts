import type { OtherPrograms } from "@docket/core/other-programs"
import { translateClaudeAgent } from "./claude-agent.ts"
import { readClaudeDenials } from "./claude-denials.ts"
import { findClaudeHooks, ownClaudeHooks } from "./claude-hooks.ts"
import { claudeServers } from "./claude-servers.ts"
import { fromOpencode, isOpencodeFile, opencodeProjectSettings, opencodeUserSettings } from "./opencode-settings.ts"
import { findOtherFiles } from "./other-files.ts"

/** Reads OpenCode's settings, Claude Code's agents, denials and hooks, and finds files of these and other programs. */
export const otherPrograms: OtherPrograms = {
  userSettings: opencodeUserSettings,
  userServers: claudeServers,
  projectSettings: opencodeProjectSettings,
  translateSettings: (file, value) => (isOpencodeFile(file) ? fromOpencode(value) : null),
  translateAgent: (origin, frontmatter) => (origin === "claude" ? translateClaudeAgent(frontmatter) : null),
  findHooks: findClaudeHooks,
  ownHooks: ownClaudeHooks,
  async readProject(levels, place) {
    const claude = await readClaudeDenials(levels, place)
    return { ...claude, files: (provided) => findOtherFiles(levels, { claude, provided, glance: place.glance }) }
  },
}
