import { dirname, isAbsolute, join } from "node:path"
import { readBoundedFile, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { askingFor } from "./closure.ts"
import type { OtherPrograms } from "./other-programs.ts"
import { addUnreadable, type ConfigSources, sizeLimit } from "./read-config-sources.ts"

export interface OverrideInput {
  home: string
  env: Record<string, string | undefined>
  /** What `--config` was given, in its order: absolute files, or settings as JSON. */
  commandLine?: readonly string[]
  /** Whose configuration is read beside Docket's; left out, nobody's is. */
  programs?: OtherPrograms | undefined
}

/** Where settings come from that are in no place of their own, and by what name people know those that are no file. */
interface Giver {
  layer: "environment" | "command-line"
  name: string
}

/**
 * What the user sets for one service alone: the file that DOCKET_CONFIG names, DOCKET_CONFIG_CONTENT, then the command
 * line. Relative paths in settings without a file start at the home directory. Where a named file cannot be read,
 * everything is asked: nobody knows what it would have restricted.
 */
export async function readOverrides({ env, home, commandLine = [] }: OverrideInput): Promise<ConfigSources> {
  const found: ConfigSources = { sources: [], closures: [], problems: [] }
  const addText = ({ layer, name }: Giver, text: string) => {
    found.sources.push({ file: name, layer, directory: home, agent: null, text })
  }
  const addFile = async ({ layer, name }: Giver, named: string) => {
    const file = named.startsWith("~/") ? join(home, named.slice(2)) : named
    if (!isAbsolute(file)) {
      addUnreadable(found, name, `names "${named}"; write the whole path of a file`, askingFor(null))
      return
    }
    try {
      const text = (await readBoundedFile(file, sizeLimit)).toString("utf8").replace(/^\uFEFF/, "")
      found.sources.push({ file, layer, directory: dirname(file), agent: null, text })
    } catch (error) {
      addUnreadable(found, file, `${unreadableReason(error)}, though ${name} names it`, askingFor(null))
    }
  }
  if (env.DOCKET_CONFIG) await addFile({ layer: "environment", name: "DOCKET_CONFIG" }, env.DOCKET_CONFIG)
  const inline: Giver = { layer: "environment", name: "DOCKET_CONFIG_CONTENT" }
  if (env.DOCKET_CONFIG_CONTENT) addText(inline, env.DOCKET_CONFIG_CONTENT)
  for (const given of commandLine) {
    await (given.trimStart().startsWith("{") ? addText : addFile)({ layer: "command-line", name: "--config" }, given)
  }
  return found
}
