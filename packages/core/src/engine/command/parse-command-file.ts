import { didYouMean } from "../../ground/error/nearest-name.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import { parseFrontmatter } from "../../setup/config/frontmatter.ts"
import { isRecord } from "../../setup/config/is-record.ts"
import { keepValid } from "../../setup/config/keep-valid.ts"
import { CommandConfig } from "../../setup/config/schema.ts"

/** A hint in square brackets, which YAML would read as a list. */
const bareHint = /^(argument[-_]hint:[ \t]*)([^\s"'|>].*?)[ \t]*$/m
/** Keys of Claude Code that are ignored here. Permissions come from the rules of the agent that works. */
const withoutMeaning: ReadonlySet<string> = new Set(["name", "allowed-tools", "disable-model-invocation", "version"])
const knownKeys = ["description", "agent", "model", "subtask", "argument-hint"]

/**
 * Reads a command from Markdown: the body is its template, the frontmatter has its settings. A wrong key is ignored; a
 * file that cannot be read defines no command. Never throws.
 */
export function parseCommandFile(
  file: string,
  text: string,
): { config: CommandConfig | null; problems: ConfigProblem[] } {
  const parsed = parseFrontmatter(
    text.replace(bareHint, (_, key: string, hint: string) => `${key}${JSON.stringify(hint)}`),
  )
  const refuse = (message: string, at: { line: number | null; column: number | null }) => ({
    config: null,
    problems: [
      { file, line: at.line, column: at.column, message: `${message}. The command is left out until this is mended.` },
    ],
  })
  if ("refused" in parsed) return refuse(parsed.refused, parsed)
  if (!isRecord(parsed.settings)) return refuse("the frontmatter is not a map of settings", parsed.near([]))
  if (parsed.body === "") return refuse("the file says nothing below its frontmatter", parsed.near([]))
  const { near, body } = parsed
  const problems: ConfigProblem[] = []
  const settings: Record<string, unknown> = { template: body }
  for (const [key, value] of Object.entries(parsed.settings)) {
    if (key === "argument-hint") settings.argument_hint = value
    else if (knownKeys.includes(key) || key === "argument_hint") settings[key] = value
    else problems.push({ file, ...near([key]), message: unusedWords(key) })
  }
  const { data, issues } = keepValid(CommandConfig, settings)
  for (const { path, message } of issues) {
    const key = path.map(String)
    problems.push({
      file,
      ...near(key),
      message: `"${key.join(".")}": ${message}. This key is left out until it is mended.`,
    })
  }
  return { config: data, problems }
}

function unusedWords(key: string): string {
  if (key === "allowed-tools")
    return `"allowed-tools" gives no rights here: what the command runs is judged by the rules of the agent that works.`
  if (withoutMeaning.has(key)) return `"${key}" has no effect here and is left out.`
  return `unknown key "${key}", ignored.${didYouMean(key, knownKeys)}`
}
