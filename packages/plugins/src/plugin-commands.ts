import type { Command } from "@docket/core/commands"
import type { ExtensionPlace } from "@docket/core/extension-host"
import { z } from "zod"
import type { Additions } from "./plugin-additions.ts"

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

/** The commands that plugins added to the configuration. What is there already stays. */
export function pluginCommands({ config }: Pick<ExtensionPlace, "config">, { commands }: Additions): Command[] {
  const before = new Set(Object.keys(config.command ?? {}))
  return commands.flatMap(({ name, value, isOwn }): Command[] => {
    const given = Given.safeParse(value).data
    if (given === undefined || before.has(name)) return []
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
  })
}
