import { records } from "@docket/core/operations"
import { ModelRef, type PromptPart } from "@docket/core/schema"
import { z } from "zod"
import { requires } from "../http/guarded-routes.ts"
import { bodyOf, callOf, type OpencodeApp, type OpencodeDeps, refusePlugins } from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { answerAtEnd, answerOf } from "./prompt-routes.ts"

const CommandBody = z.object({
  command: z.string().min(1),
  arguments: z.string().default(""),
  agent: z.string().optional(),
  /** `provider/model` */
  model: z.string().optional(),
  variant: z.string().min(1).optional(),
  parts: z
    .array(z.object({ type: z.literal("file"), mime: z.string(), url: z.string(), filename: z.string().optional() }))
    .default([]),
})
const ShellBody = z.object({ command: z.string().min(1), agent: z.string().optional(), model: ModelRef.optional() })
const ModelBody = z.object({ providerID: z.string().min(1), modelID: z.string().min(1) })

/** Prompts by a command: one that a project or a user defines, and Docket's own `/shell`, `/compact` and `/init`. */
export function addCommandRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  const prompts = requires("prompt", records("prompted"))
  app.post("/session/:id/command", prompts, (c) =>
    answerAtEnd(c, deps, {
      async prompt() {
        const { command, arguments: typed, model, parts, ...rest } = await bodyOf(c, CommandBody)
        return { ...rest, ...(model && { model: modelOf(model) }), parts: [commandPart(command, typed), ...parts] }
      },
      read: answerOf,
    }),
  )
  app.post("/session/:id/shell", prompts, (c) => {
    refusePlugins(callOf(c, deps), "A plugin runs commands by its own $, or lets an agent run them.")
    return answerAtEnd(c, deps, {
      async prompt() {
        const { command, ...rest } = await bodyOf(c, ShellBody)
        return { ...rest, parts: [commandPart("shell", command)] }
      },
      read: answerOf,
    })
  })
  for (const [name, command] of [
    ["summarize", "compact"],
    ["init", "init"],
  ] as const) {
    app.post(`/session/:id/${name}`, prompts, (c) =>
      answerAtEnd(c, deps, {
        prompt: async () => ({ model: await bodyOf(c, ModelBody), parts: [commandPart(command, "")] }),
        async read({ problem }) {
          if (problem === null) return true
          throw new OpencodeError(409, problem)
        },
      }),
    )
  }
}

function commandPart(name: string, typed: string): PromptPart {
  return { type: "command", name, arguments: typed }
}

/** @throws OpencodeError 400 */
function modelOf(text: string): ModelRef {
  const [providerID = "", ...model] = text.split("/")
  const modelID = model.join("/")
  if (providerID !== "" && modelID !== "") return { providerID, modelID }
  throw new OpencodeError(400, `"${text}" names no model. Write it as provider/model.`)
}
