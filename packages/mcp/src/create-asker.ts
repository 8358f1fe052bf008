import type { ToolContext } from "@docket/core/tool"
import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitResult,
  SamplingMessage,
} from "@modelcontextprotocol/client"
import { type AskedField, type FieldValue, fieldsOf, mostFields, shown } from "./ask-form.ts"

/** Answers what a server asks while one of its tools is called. */
export interface Asker {
  /** The session of the call. */
  sessionID: string
  /** A form, or an address that is to be opened. */
  elicit(request: ElicitRequest["params"]): Promise<ElicitResult>
  /** A text of the session's model. @throws Error when the user or a limit refuses it */
  sample(request: CreateMessageRequest["params"]): Promise<CreateMessageResult>
}

type AskingContext = Pick<ToolContext, "sessionID" | "inquire" | "ask" | "askModel">

/** How often a person is asked for values that fit. */
const mostTries = 3
/** Characters of what a server writes to people. */
const longestText = 1_500

/** @param permission under which the tool is called: where it is denied, nobody is asked */
export function createAsker(
  context: AskingContext,
  { server, permission }: { server: string; permission: string },
): Asker {
  return {
    sessionID: context.sessionID,
    async elicit(request) {
      if (request.mode === "url") return askForAddress(context, { server, permission }, request)
      return askForForm(context, { server, permission }, request)
    },
    async sample({ messages, systemPrompt, maxTokens, temperature, stopSequences }) {
      const asked = messages.map((message) => ({ role: message.role, text: textOf(message) }))
      const last = asked.at(-1)?.text ?? ""
      await context.ask({
        permission,
        patterns: ["model"],
        always: ["model"],
        metadata: { kind: "other", title: `${server} lets your model answer: ${shown(last, 300)}` },
      })
      const { text, model, isCut } = await context.askModel({
        ...{ system: systemPrompt, messages: asked, maxTokens, temperature, stop: stopSequences },
      })
      return {
        role: "assistant",
        content: { type: "text", text },
        model: `${model.providerID}/${model.modelID}`,
        stopReason: isCut ? "maxTokens" : "endTurn",
      }
    },
  }
}

interface AskedServer {
  server: string
  permission: string
}

async function askForAddress(
  { inquire }: AskingContext,
  { server, permission }: AskedServer,
  { message, url }: Extract<ElicitRequest["params"], { mode: "url" }>,
): Promise<ElicitResult> {
  const opened = "I have opened it"
  const question = {
    header: "Open an address",
    // The whole address stands there, for who opens it has to see where it leads.
    question: `The MCP server “${server}” asks you to open\n\n${shown(url, 8_000)}\n\n${shown(message, longestText)}`,
    options: [
      { label: opened, description: "Open it yourself, and only if you know it." },
      { label: "No", description: "" },
    ],
    multiple: false,
  }
  const { answers } = await inquire({ permission, metadata: { kind: "question", questions: [question] } })
  if (answers === undefined) return { action: "cancel" }
  return { action: answers[0]?.choices.includes(opened) ? "accept" : "decline" }
}

async function askForForm(
  { inquire }: AskingContext,
  { server, permission }: AskedServer,
  { message, requestedSchema }: ElicitRequestFormParams,
): Promise<ElicitResult> {
  const fields = fieldsOf(requestedSchema)
  const content: Record<string, FieldValue> = {}
  const about = `The MCP server “${server}” asks: ${shown(message, longestText)}`
  if (fields.length === 0) {
    const question = { header: "Agree", question: about, options: yesOrNo, multiple: false }
    const { answers } = await inquire({ permission, metadata: { kind: "question", questions: [question] } })
    if (answers === undefined) return { action: "cancel" }
    return answers[0]?.choices.includes("Yes") ? { action: "accept", content } : { action: "decline" }
  }
  let open: (AskedField & { problem?: string })[] = fields
  for (let tries = 1; open.length > 0 && tries <= mostTries; tries++) {
    const wrong: typeof open = []
    for (let at = 0; at < open.length; at += mostFields) {
      const asked = open.slice(at, at + mostFields)
      const questions = asked.map(({ question, problem }, index) => ({
        ...question,
        question: [index === 0 ? about : "", question.question, problem ? `(Again: ${problem}.)` : ""]
          .filter((text) => text !== "")
          .join("\n\n"),
      }))
      const { answers, message: why } = await inquire({ permission, metadata: { kind: "question", questions } })
      if (answers === undefined) return { action: why === null ? "cancel" : "decline" }
      for (const [index, field] of asked.entries()) {
        const read = field.read(answers[index] ?? { choices: [], own: null })
        if ("problem" in read) wrong.push({ ...field, problem: read.problem })
        else if (read.value !== undefined) content[field.key] = read.value
        else if (field.isRequired && !hasDefault(requestedSchema, field.key))
          wrong.push({ ...field, problem: "it is needed" })
      }
    }
    open = wrong
  }
  return open.length === 0 ? { action: "accept", content } : { action: "cancel" }
}

const yesOrNo = [
  { label: "Yes", description: "" },
  { label: "No", description: "" },
]

function hasDefault({ properties }: ElicitRequestFormParams["requestedSchema"], key: string): boolean {
  return "default" in Object(properties[key])
}

/** What is no text is named: the model that answers gets no files of a server. */
function textOf({ content }: SamplingMessage): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join("\n")
}
