import { runGit } from "../../ground/git/run-git.ts"

/** A git setting; the value is null when only its name is given. */
interface GitSetting {
  key: string
  value: string | null
}

/** The settings in a text as git reads them; null when git cannot. */
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

/** New settings that may start a program. */
export function newPrograms(settings: readonly GitSetting[], before: readonly GitSetting[]): GitSetting[] {
  const known = new Set(before.map(({ key, value }) => `${key}\n${value}`))
  return settings.filter((setting) => !isHarmlessSetting(setting) && !known.has(`${setting.key}\n${setting.value}`))
}

/** A file with these settings, and with the original text in comments. */
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

/**
 * Settings of a repository that start no program and lead git to no other file or place; all others may, in this or a
 * newer version of git. Source: git-config(1). `.+` stands for a name that the repository chooses. A pattern with `=`
 * is tested against `key=value`, all others against the key.
 */
const harmless: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|abbrev|compression|loosecompression|bigfilethreshold|quotepath|protecthfs|protectntfs|trustctime|checkstat|sharedrepository|sparsecheckout|sparsecheckoutcone|commentchar|whitespace|untrackedcache|preloadindex|multipackindex|commitgraph)$/,
  /^core\.fsmonitor=(?:false|true|)$/,
  /^extensions\.(?:objectformat|refstorage|worktreeconfig|preciousobjects|noop|relativeworktrees|compatobjectformat)$/,
  /^user\.(?:name|email|useconfigonly)$/,
  /^(?:author|committer)\.(?:name|email)$/,
  /^init\.defaultbranch$/,
  /^branch\..+\.(?:remote|pushremote|merge|rebase|description)$|^branch\.(?:autosetupmerge|autosetuprebase|sort)$/,
  /^remote\..+\.(?:fetch|push|tagopt|prune|prunetags|mirror|skipdefaultupdate|skipfetchall)$|^remote\.pushdefault$/,
  // `transport::address` starts the program git-remote-transport.
  /^(?:remote|submodule)\..+\.(?:url|pushurl)=(?![a-z\d+.-]*::)/is,
  /^submodule\..+\.(?:active|branch|ignore|shallow|fetchrecursesubmodules)$|^submodule\.(?:active|recurse|fetchjobs|propagatebranches)$/,
  /^submodule\..+\.update=(?:checkout|rebase|merge|none)$/,
  // The excluded keys name a file, place or address, or start gpg.
  /^(?!fetch\.bundle|format\.(?:signaturefile|outputdirectory|pretty)$|log\.(?:showsignature|mailmap)$|(?:push|tag)\.(?:gpgsign|forcesignannotated)$)(?:advice|color|column|feature|index|pack|rerere|status|stash|push|pull|fetch|log|format|apply|rebase|grep|maintenance|tag|notes|worktree|checkout|clean|versionsort|i18n)\.[a-z\d.]+$/,
  /^gc\.(?!recentobjectshook)[a-z\d]+$/,
  /^merge\.(?:ff|conflictstyle|renames|renamelimit|stat|log|verbosity|autostash|branchdesc)$/,
  /^diff\.(?:algorithm|renames|renamelimit|mnemonicprefix|noprefix|colormoved|colormovedws|context|interhunkcontext|ignoresubmodules|submodule|statgraphwidth|wserrorhighlight|indentheuristic|relative|suppressblankempty|wordregex)$/,
  /^commit\.(?:verbose|cleanup|status)$/,
  /^(?:commit|tag|push)\.gpgsign=(?:false|no|off|0)$/i,
  /^http\.(?:postbuffer|version|lowspeedlimit|lowspeedtime)$/,
  /^lfs\.repositoryformatversion$/,
]

/** Whether a setting certainly starts no program. Keys are written as in `git config --list`. */
export function isHarmlessSetting({ key, value }: { key: string; value: string | null }): boolean {
  const withValue = `${key}=${value ?? ""}`
  return harmless.some((pattern) => pattern.test(pattern.source.includes("=") ? withValue : key))
}
