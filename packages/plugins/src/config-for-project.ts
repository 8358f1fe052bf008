import { withoutConfigSecrets } from "@docket/core/config-secrets"

/** Sections whose values may be secrets anywhere: arguments, variables and options of other people's programs. */
const ofPrograms = ["mcp", "lsp", "formatter", "hooks", "plugin"] as const

/**
 * The configuration as a project's plugins see it. In it, references to variables and files are filled in, so that what
 * lets somebody in stands there as it is.
 */
export function configForProject(config: Record<string, unknown>): Record<string, unknown> {
  const shown = { ...config }
  for (const section of ofPrograms) delete shown[section]
  const kept = withoutConfigSecrets(JSON.stringify(shown))
  return kept === null ? {} : JSON.parse(kept.text)
}
