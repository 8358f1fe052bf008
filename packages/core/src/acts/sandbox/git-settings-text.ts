import { runGit } from "../../ground/git/run-git.ts"
import { isHarmlessSetting } from "./git-setting-names.ts"

/** A setting of git; without a value where only its name stands there. */
export interface GitSetting {
  key: string
  value: string | null
}

/** The settings in a text, as git itself reads them; null when it cannot. */
export async function readSettings(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitSetting[] | null> {
  try {
    const args = ["config", "--file", "-", "--no-includes", "--list", "-z"]
    const output = await runGit(args, { cwd: "/", env, input: text })
    return output
      .toString()
      .split("\0")
      .slice(0, -1)
      .map((entry) => {
        const end = entry.indexOf("\n")
        return end < 0 ? { key: entry, value: null } : { key: entry.slice(0, end), value: entry.slice(end + 1) }
      })
  } catch {
    return null
  }
}

/** Settings that may start a program and that were not there before. */
export function newPrograms(settings: readonly GitSetting[], before: readonly GitSetting[]): GitSetting[] {
  const known = new Set(before.map(({ key, value }) => `${key}\n${value}`))
  return settings.filter((setting) => !isHarmlessSetting(setting) && !known.has(`${setting.key}\n${setting.value}`))
}

/** A file with these settings, and in comments the text that stood there. */
export function settingsFile(settings: readonly GitSetting[], { off, text }: { off: string[]; text: string }): string {
  return [
    `# Docket switched off what a command left here: ${off.join(", ").replace(/[^\x20-\x7e]/g, "?")}.`,
    "# To have it, put the lines at the end of this file back in place of the others.",
    ...settings.map(settingLines),
    "# The file as the command left it:",
    ...text.split("\n").map((line) => `# ${line.replace(/\r/g, "")}`),
    "",
  ].join("\n")
}

function settingLines({ key, value }: GitSetting): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")]
  const section = key.slice(0, first)
  const inner = first === last ? "" : ` "${key.slice(first + 1, last).replace(/["\\]/g, "\\$&")}"`
  const name = key.slice(last + 1)
  return `[${section}${inner}]\n\t${value === null ? name : `${name} = ${quoted(value)}`}`
}

function quoted(value: string): string {
  const escaped = value.replace(/["\\]/g, "\\$&").replace(/\n/g, "\\n").replace(/\t/g, "\\t")
  return `"${escaped}"`
}
