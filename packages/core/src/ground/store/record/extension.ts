import { ExtensionSwitch, ExtensionUse, PluginAdditions } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import type { Records } from "./records-port.ts"

export const extensionSwitchRecord = defineRecord({
  name: "ExtensionSwitch",
  words: ["decision about an extension", "decisions about extensions"],
  schema: ExtensionSwitch,
  key: "key",
  owner: "tenant",
  columns: { kind: "word", name: "text", projectID: "word?", changed: "number" },
  values: ({ time }) => ({ changed: time.changed }),
})

export const extensionUseRecord = defineRecord({
  name: "ExtensionUse",
  words: ["use of an extension", "uses of extensions"],
  schema: ExtensionUse,
  key: "key",
  owner: "tenant",
  columns: { kind: "word", name: "text", projectID: "word?", used: "number" },
  values: ({ time }) => ({ used: time.used }),
})

export const pluginAdditionsRecord = defineRecord({
  name: "PluginAdditions",
  words: ["list of what plugins add", "lists of what plugins add"],
  schema: PluginAdditions,
  key: "projectID",
  owner: "tenant",
  columns: { loaded: "number" },
  values: ({ time }) => ({ loaded: time.loaded }),
})

export interface ExtensionStore {
  switches(): Promise<ExtensionSwitch[]>
  putSwitch(value: ExtensionSwitch): Promise<void>
  removeSwitch(key: string): Promise<void>
  use(key: string): Promise<ExtensionUse | null>
  uses(): Promise<ExtensionUse[]>
  putUses(values: readonly ExtensionUse[]): Promise<void>
  /** Removes what was last used before that time (epoch ms). */
  removeUsesBefore(time: number): Promise<void>
  additions(projectID: string): Promise<PluginAdditions | null>
  putAdditions(value: PluginAdditions): Promise<void>
}

export function extensionStore(records: Records): ExtensionStore {
  return {
    switches: () => records.find(extensionSwitchRecord, { order: ["-changed", "key"] }),
    putSwitch: (value) => records.put(extensionSwitchRecord, [value]),
    async removeSwitch(key) {
      await records.remove(extensionSwitchRecord, { key })
    },
    use: (key) => records.get(extensionUseRecord, key),
    uses: () => records.find(extensionUseRecord, { order: ["-used", "key"] }),
    putUses: (values) => records.put(extensionUseRecord, values),
    async removeUsesBefore(time) {
      await records.remove(extensionUseRecord, { used: { lt: time } })
    },
    additions: (projectID) => records.get(pluginAdditionsRecord, projectID),
    putAdditions: (value) => records.put(pluginAdditionsRecord, [value]),
  }
}
