import { type AuditRule, type Capability, records } from "@docket/core/operations"
import { ModelRef, SessionID, TaskID, TodoPriority, TodoStatus } from "@docket/core/schema"
import { z } from "zod"
import { type McpAnswer, type McpCall, projectOf, rootFor } from "./mcp-call.ts"
import { taskAnswer } from "./task-answer.ts"
import { waitForTasks } from "./wait-for-tasks.ts"

/** A tool that Docket offers to MCP clients. */
export interface McpTool {
  name: string
  description: string
  capability: Capability
  /** What the audit log says of it; null for a tool that changes nothing. */
  audit: AuditRule | null
  input: z.ZodObject
  /** Whether it may end or overwrite work. */
  isDestructive?: true
  run(call: McpCall, input: never): Promise<McpAnswer>
}

/** Makes a tool whose `run` has the type of its input. */
function tool<Input extends z.ZodObject>(
  made: Omit<McpTool, "input" | "run"> & {
    input: Input
    run(call: McpCall, input: z.output<Input>): Promise<McpAnswer>
  },
): McpTool {
  return made
}

/** Longest wait of one call (s), and the usual one: many clients give up after 60 s. */
const waits = { usual: 45, most: 3_600 }
const Directory = z.string().max(4_096).describe("an absolute directory in a project that is open in Docket")
const Task = TaskID.describe("the id of a task, as delegate gives it")
const Wait = z
  .number()
  .min(0)
  .max(waits.most)
  .default(waits.usual)
  .describe("how many seconds to wait at most; call again to go on waiting")
const Model = z
  .string()
  .max(300)
  .regex(/^[^/]+\/.+/)
  .describe("provider/model; usually the agent's own")

export const mcpTools: readonly McpTool[] = [
  tool({
    name: "delegate",
    description:
      "Starts a task for an agent of Docket and answers at once. The agent works on its own in the project; a person can follow and review it at the link. Wait for the result with task_result, or for several with gather.",
    capability: "prompt",
    audit: records("prompted", { targets: ["task", "session"], facts: ["agent"] }),
    input: z.object({
      agent: z.string().min(1).max(200).describe("which agent works: see list_agents"),
      prompt: z
        .string()
        .trim()
        .min(1)
        .max(400_000)
        .describe("the whole task: the agent sees nothing of your conversation"),
      description: z.string().trim().min(1).max(200).optional().describe("the task in three to five words"),
      directory: Directory.optional(),
      model: Model.optional(),
    }),
    async run(call, { agent, prompt, description, directory, model }) {
      const root = await rootFor(call, await projectOf(call, directory))
      const [providerID = "", ...modelID] = model?.split("/") ?? []
      const named = { agent, prompt, description: description ?? firstWords(prompt) }
      const chosen = model === undefined ? {} : { model: ModelRef.parse({ providerID, modelID: modelID.join("/") }) }
      const task = await call.agents.task.start({ sessionID: root.id, ...named, ...chosen }, call.asker)
      return taskAnswer(call, task, [])
    },
  }),
  tool({
    name: "task_result",
    description: "Waits for a task and gives its state, and its result once it has ended.",
    capability: "read",
    audit: null,
    input: z.object({ task: Task, wait_seconds: Wait }),
    async run(call, { task, wait_seconds }) {
      const waited = await waitForTasks(call, [task], { waitMs: wait_seconds * 1_000, mode: "all" })
      const [found] = waited.tasks
      if (found === undefined) throw new Error("a task was lost while it was waited for")
      return taskAnswer(call, found, waited.waiting.get(found.id) ?? [])
    },
  }),
  tool({
    name: "gather",
    description:
      "Waits for several tasks: for all of them, or for the first that ends. Gives the state and result of each.",
    capability: "read",
    audit: null,
    input: z.object({
      tasks: z.array(Task).min(1).max(50),
      mode: z.enum(["all", "any"]).default("all").describe("any: answers when the first one has ended"),
      wait_seconds: Wait,
    }),
    async run(call, { tasks: ids, mode, wait_seconds }) {
      const { tasks, waiting } = await waitForTasks(call, [...new Set(ids)], { waitMs: wait_seconds * 1_000, mode })
      const answers = tasks.map((task) => taskAnswer(call, task, waiting.get(task.id) ?? []))
      return { text: answers.map(({ text }) => text).join("\n\n"), data: { tasks: answers.map(({ data }) => data) } }
    },
  }),
  tool({
    name: "message_task",
    description:
      "Sends a message to the agent of a task. One that works reads it before its next step; one that has ended goes on with it, as a new task in the same session.",
    capability: "prompt",
    audit: records("prompted", { targets: ["task", "session"] }),
    input: z.object({ task: Task, message: z.string().trim().min(1).max(20_000) }),
    async run(call, { task: taskID, message: text }) {
      const { time } = await call.agents.task.get({ taskID })
      if (time.ended === null) return taskAnswer(call, await call.agents.task.message({ taskID, text }, call.asker), [])
      const ended = await call.agents.task.get({ taskID })
      const named = { sessionID: ended.parentID, childID: ended.sessionID, agent: ended.agent }
      const { description } = ended
      const next = await call.agents.task.start({ ...named, description, prompt: text }, call.asker)
      return taskAnswer(call, next, [])
    },
  }),
  tool({
    name: "cancel_task",
    description: "Ends a task with everything under it. What it has done so far stays.",
    capability: "prompt",
    audit: records("stopped", { targets: ["task", "session"] }),
    input: z.object({ task: Task }),
    isDestructive: true,
    run: async (call, { task: taskID }) => taskAnswer(call, await call.agents.task.cancel({ taskID }, call.asker), []),
  }),
  tool({
    name: "todo_list",
    description: "The todo list of a session, or without one the list that all sessions share.",
    capability: "read",
    audit: null,
    input: z.object({ session: SessionID.optional().describe("the id of a session, as delegate gives it") }),
    async run({ agents }, { session }) {
      const todos =
        session === undefined
          ? await agents.todo.find({ scope: { kind: "tenant" }, limit: mostTodos })
          : await agents.todo.list({ sessionID: session })
      return todosAnswer(todos)
    },
  }),
  tool({
    name: "todo_update",
    description: "Changes a todo, or adds one when none is named.",
    capability: "todo.edit",
    audit: records("todo.edited", { targets: ["todo"], facts: ["status", "priority"] }),
    input: z.object({
      todo: z.number().int().positive().optional().describe("the number of the todo; without it, one is added"),
      session: SessionID.optional().describe("for a new one: the session whose list it comes into"),
      content: z.string().trim().min(1).max(2_000).optional().describe("what is to do; needed for a new one"),
      status: TodoStatus.optional(),
      priority: TodoPriority.optional(),
    }),
    async run({ agents, asker }, { todo, session, content, ...rest }) {
      if (todo !== undefined)
        return todosAnswer([await agents.todo.update({ todo, ...rest, ...(content && { content }) }, asker)])
      const fields = z.object({ content: z.string({ error: "A new todo needs content." }) }).parse({ content })
      return todosAnswer([await agents.todo.create({ ...fields, ...rest, sessionID: session ?? null }, asker)])
    },
  }),
  tool({
    name: "list_agents",
    description: "The agents that delegate takes, with what each is for.",
    capability: "read",
    audit: null,
    input: z.object({ directory: Directory.optional() }),
    async run(call, { directory }) {
      const project = await projectOf(call, directory)
      const agents = (await call.agents.agent.list({ projectID: project.id }, call.asker))
        .filter(({ hidden, problem }) => !hidden && problem === null)
        .map(({ name, description, mode }) => ({ name, description, mode }))
      const lines = agents.map(({ name, description }) => `- ${name}: ${description}`)
      return {
        text: [`Agents in ${project.directory}:`, ...lines].join("\n"),
        data: { directory: project.directory, agents },
      }
    },
  }),
  tool({
    name: "search_sessions",
    description: "Finds titles, prompts, answers and calls of tools in all sessions, the newest first.",
    capability: "read",
    audit: null,
    input: z.object({ query: z.string().min(1).max(500), limit: z.number().int().min(1).max(50).default(10) }),
    async run({ agents, origin }, { query, limit }) {
      const { hits, problems } = await agents.search.find({ text: query, limit })
      const found = hits.map(({ kind, session, root, excerpt }) => ({
        ...{ kind, session: session.id, title: root.title, text: excerpt.text },
        link: `${origin}/s/${root.id}${session.id === root.id ? "" : `/c/${session.id}`}`,
      }))
      const lines = found.map(({ kind, title, text, link }) => `- ${title} (${kind}): ${text}\n  ${link}`)
      return { text: [...problems, ...(lines.length > 0 ? lines : ["Nothing was found."])].join("\n"), data: { found } }
    },
  }),
]

const mostTodos = 200

function todosAnswer(
  todos: readonly { number: number; content: string; status: string; priority: string; sessionID: string | null }[],
): McpAnswer {
  const list = todos.map(({ number, content, status, priority, sessionID }) => ({
    ...{ todo: number, content, status, priority, session: sessionID },
  }))
  const lines = list.map(({ todo, content, status, priority }) => `#${todo} [${status}, ${priority}] ${content}`)
  return { text: lines.join("\n") || "The list is empty.", data: { todos: list } }
}

/** The beginning of a text, as a title. */
function firstWords(text: string): string {
  return text.split(/\s+/).slice(0, 6).join(" ").slice(0, 100)
}
