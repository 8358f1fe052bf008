import type { ModelFamily } from "./model-family.ts"
import { bullets, mayChange, type PromptContext, type PromptSection, toolNames } from "./prompt-context.ts"

/** What differs by family: where each tends to err. All else is said to every model in the same words. */
export const familySection: PromptSection = (context) => notes[context.family](context)

const notes: Record<ModelFamily, PromptSection> = {
  /** Thorough by itself; errs by doing and saying more than was asked. */
  claude: ({ watched, role }) =>
    bullets("Pace", [
      watched && "Between tool calls, a short sentence about what you found or do next is enough.",
      !watched && "Nobody reads what you write between tool calls; leave it out.",
      role === "work" && "Do not create documents, examples or extra files that nobody asked for.",
      watched &&
        role === "work" &&
        "Ask only when the readings of a request lead to really different work and the code cannot decide; otherwise choose, say what you assumed, and go on.",
    ]),
  /** Plans well without being told how; errs by searching on after it knows enough, and by handing back too early. */
  gpt: ({ watched, role }) =>
    bullets("Seeing it through", [
      role === "work"
        ? "Stay with the request until it is fully done. Do not end with a plan, an offer or a list of next steps for you: take them."
        : "Stay with the request until it is fully answered. Do not end with an offer to look further: look.",
      "Search until you can act, not until you have seen everything. When two results agree, go on.",
      watched &&
        "Before the first tool call of a turn, say in one sentence what you are about to do; after that, only what is news.",
      watched && "Do not ask for leave for ordinary steps: permissions are handled for you.",
      "Say things once, in few words. No headings for a short answer.",
    ]),
  /** Does what it is told to the letter; errs by guessing, by announcing instead of doing, and by one call at a time. */
  "gpt-early": (context) => earlyGpt(context),
  /** Quick to assume; errs on paths, libraries and by showing code in place of changing it. */
  gemini: (context) =>
    bullets("Mandates", [
      "Never assume that a library, a command or a file exists: look first.",
      "Paths in tool calls start at the working directory or are absolute; use the exact spelling you have seen.",
      mayChange(context) &&
        "Use the tools to act and text only to communicate. Do not show code blocks in place of edits; make the edit.",
      context.watched &&
        context.role === "work" &&
        context.tools.has("bash") &&
        "Explain a command that changes the system, before you run it, in one sentence.",
      "Carry the request through in the same turn, its check included. Do not repeat a call that has just failed in the same form.",
    ]),
  /** Unknown, often small: an order to follow and the form of a call. */
  other: (context) => method(context),
}

function earlyGpt(context: PromptContext): string | null {
  const { role, tools } = context
  return bullets("Persistence", [
    "You are not done before the request is. Keep calling tools until it is; then, and only then, write the final answer.",
    'When you announce a step, take it in the same answer. Words like "I will now" without a call end your turn too early.',
    tools.size > 0 &&
      "If you are not sure of a file's content or of the structure of the code, look with your tools. Never guess, and never make up an answer.",
    "Before each group of calls, think through what you need to know; after it, what the results mean. Then take the next step.",
    tools.size > 0 && "Calls that do not depend on each other belong into one answer; do not send them one by one.",
    role === "work" &&
      mayChange(context) &&
      "Make the change yourself, in small steps. Do not describe it for somebody else to make.",
  ])
}

function method(context: PromptContext): string {
  const { tools } = context
  const search = toolNames(tools, ["grep", "glob", "list"])
  const steps = [
    search !== "" && `Find the relevant files with ${search}${tools.has("read") ? ", and read them" : ""}.`,
    tools.has("todowrite") && context.role === "work" && "For more than two steps, write the todo list.",
    mayChange(context) && "Make the change in small exact edits.",
    mayChange(context) && tools.has("bash") && "Run the nearest check and mend what it shows.",
    `Give the final answer.${tools.size > 0 ? " Call tools only with the parameters in their schema, as valid JSON, and never invent a tool or a result." : ""}`,
  ].filter((step) => step !== false)
  return ["# Method", ...steps.map((step, index) => `${index + 1}. ${step}`)].join("\n")
}
