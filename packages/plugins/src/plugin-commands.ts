import type { Command } from "@docket/core/commands"
import { z } from "zod"
import type { PluginSet } from "./plugin-set.ts"

const Changed = z.looseObject({ command: z.record(z.string(), z.unknown()).catch({}).default({}) })
const Given = z.looseObject({
  template: z.string().trim().min(1).max(100_000),
  description: z.string().max(1_000).nullish(),
  agent: z.string().min(1).nullish(),
  model: z
    .string()
    .regex(/^[^/]+\/.+$/)
    .nullish(),
  subtask: z.boolean().nullish(),
})
/** A name that can be typed as one word. */
const namePattern = /^[\w.:-]{1,100}$/
/** Commands of all plugins of a place. */
const mostCommands = 200

/** The commands that plugins added to the configuration, of those that run now. What is there already stays. */
export function pluginCommands(set: PluginSet): Command[] {
  const before = new Set(Object.keys(set.place.config.command ?? {}))
  const all = set.configs().flatMap(({ isOwn, config }) =>
    Object.entries(Changed.safeParse(config).data?.command ?? {}).flatMap(([name, value]): Command[] => {
      const given = Given.safeParse(value).data
      if (given === undefined || before.has(name) || !namePattern.test(name)) return []
      const { template, description, agent, model, subtask } = given
      const at = model?.indexOf("/") ?? -1
      return [
        {
          ...{ name, template, hint: null, file: null, origin: isOwn ? "user" : "project" },
          description: description ?? template.split("\n")[0] ?? "",
          agent: agent ?? null,
          model: model ? { providerID: model.slice(0, at), modelID: model.slice(at + 1) } : null,
          subtask: subtask ?? false,
        },
      ]
    }),
  )
  return [...new Map(all.map((command) => [command.name, command])).values()].slice(0, mostCommands)
}
