/** A key of git's config, and its value for one run. */
export type ConfigEntry = readonly [key: string, value: string]

/**
 * Settings that hold whatever the repository's config says: they turn off every program that git starts by a key
 * with a fixed name. Where git insists on a program, it is set to `false`, which fails.
 * Source: git-config(1).
 */
export const fixedGuards: readonly ConfigEntry[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.gitProxy", ""],
  ["core.alternateRefsCommand", "false"],
  ["credential.helper", ""],
  ["commit.gpgSign", "false"],
  ["commit.verbose", "false"],
  ["tag.gpgSign", "false"],
  ["merge.verifySignatures", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.ssh.defaultKeyCommand", ""],
  // Submodules have a config of their own, which a run in the repository does not know.
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
  ["diff.ignoreSubmodules", "dirty"],
  ["gc.auto", "0"],
  ["gc.recentObjectsHook", ""],
  ["maintenance.auto", "false"],
  ["protocol.allow", "never"],
  ["protocol.ext.allow", "never"],
  ["uploadpack.packObjectsHook", ""],
]

/** The command that merges a file as git does without a merge driver: it reads three files and writes the first. */
const textMerge = "git merge-file -q --marker-size=%L %A %O %B"

/** Keys with a name in them that the repository chooses, and what they are set to. */
const named: readonly [RegExp, value: string][] = [
  [/^filter\..+\.(clean|smudge|process)$/, ""],
  [/^filter\..+\.required$/, "false"],
  [/^diff\..+\.(command|textconv)$/, ""],
  [/^merge\..+\.driver$/, textMerge],
  [/^hook\..+\.command$/, "true"],
  [/^hook\..+\.enabled$/, "false"],
  [/^gpg\..+\.program$/, "false"],
  [/^credential\..+\.helper$/, ""],
  [/^branch\..+\.mergeoptions$/, ""],
  // The strategy that git takes by itself; another is a program `git-merge-…` on the PATH.
  [/^pull\.(twohead|octopus)$/, "ort"],
  [/^submodule\..+\.ignore$/, "dirty"],
  [/^submodule\..+\.update$/, "none"],
  [/^trailer\..+\.(command|cmd)$/, "true"],
]

/** The guards for keys that a config has. */
export function namedGuards(keys: Iterable<string>): ConfigEntry[] {
  return [...new Set(keys)].flatMap((key): ConfigEntry[] => {
    const guard = named.find(([pattern]) => pattern.test(key))
    return guard === undefined ? [] : [[key, guard[1]]]
  })
}

/**
 * Variables that set a config for one run. `-c` cannot do it: it ends the key at the first `=`, and names may hold one.
 */
export function configVariables(entries: readonly ConfigEntry[]): Record<string, string> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) }
  for (const [index, [key, value]] of entries.entries()) {
    variables[`GIT_CONFIG_KEY_${index}`] = key
    variables[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return variables
}
