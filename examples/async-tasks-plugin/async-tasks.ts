import { type Plugin, type PluginInput, tool } from "@opencode-ai/plugin"

/** What children do without: they have nobody to plan with, and nobody who answers. */
const withheld = ["todowrite", "todoread", "task", "question"]

type Client = PluginInput["client"]

/** The answer of a call; it failed when there is none. */
async function got<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call
  if (data === undefined) throw new Error(`It failed: ${JSON.stringify(error)}`)
  return data
}

async function startableAgents(client: Client) {
  return (await got(client.app.agents())).filter(({ mode }) => mode !== "primary")
}

export const AsyncTasks: Plugin = async ({ client }) => ({
  tool: {
    start_work: tool({
      description:
        "Starts a subagent in the background and returns at once with a task_id. Start several to let them work side by side, then fetch each with work_result.",
      args: {
        agent: tool.schema.string().describe("The subagent's name"),
        prompt: tool.schema.string().describe("The whole task, because the subagent knows nothing else"),
        description: tool.schema.string().describe("The task in 3 to 5 words"),
      },
      async execute({ agent, prompt, description }, context) {
        const agents = await startableAgents(client)
        if (!agents.some(({ name }) => name === agent)) {
          return `There is no subagent "${agent}". There are: ${agents.map(({ name }) => name).join(", ")}.`
        }
        const { id } = await got(
          client.session.create({
            body: {
              parentID: context.sessionID,
              title: `${description} (@${agent} subagent)`,
              // OpenCode takes rules for a child that its older types do not name.
              ...({
                permission: withheld.map((permission) => ({ permission, pattern: "*", action: "deny" })),
              } as object),
            },
            query: { directory: context.directory },
          }),
        )
        const tools = Object.fromEntries(withheld.map((name) => [name, false]))
        const started = await client.session.promptAsync({
          path: { id },
          body: { agent, parts: [{ type: "text", text: prompt }], tools },
        })
        if (started.error !== undefined) throw new Error(`The task was not started: ${JSON.stringify(started.error)}`)
        context.metadata({ title: description, metadata: { sessionId: id } })
        return [
          `task_id: ${id}`,
          `agent: ${agent}`,
          `description: ${description}`,
          "status: launched",
          "",
          "Use work_result with this task_id to retrieve the result when ready.",
        ].join("\n")
      },
    }),
    work_result: tool({
      description: "Fetches the result of a task that start_work began, or says that it still works.",
      args: { task_id: tool.schema.string().describe("The task_id that start_work returned") },
      execute: ({ task_id }) => resultOf(client, task_id),
    }),
  },
})

async function resultOf(client: Client, id: string): Promise<string> {
  const { data: session } = await client.session.get({ path: { id } })
  if (session === undefined) {
    return `status: error\ntask_id: ${id}\n\nSession not found. The task_id may be invalid or the session was deleted.`
  }
  const status = (await got(client.session.status()))[id]
  const running = `status: running\ntask_id: ${id}\n\nThe task is still in progress. Try again shortly.`
  if (status?.type === "busy" || status?.type === "retry") return running
  const messages = await got(client.session.messages({ path: { id } }))
  const last = messages.findLast(({ info }) => info.role === "assistant")
  if (last?.info.role !== "assistant" || (last.info.error === undefined && last.info.time.completed === undefined)) {
    return running
  }
  const { error } = last.info
  if (error !== undefined) {
    const { message = "It did not say why." } = error.data as { message?: string }
    return `status: error\ntask_id: ${id}\nerror_type: ${error.name}\n\n${message}`
  }
  const text = last.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return `status: complete\ntask_id: ${id}\n\n<task_result>\n${text}\n</task_result>`
}
