import { bullets, mayChange, type PromptContext, type PromptSection } from "./prompt-context.ts"

const place =
  "Point to code as path:line, relative to the working directory, such as src/queue.ts:42, with at most a few quoted lines where the wording matters."

/** What the last message of a turn holds: for a person who has watched, or for an agent that sees nothing else. */
export const answerSection: PromptSection = (context) => {
  if (context.role === "explore") return findings(context)
  if (!context.watched) return result(context)
  return context.role === "plan" ? plan() : answer(context)
}

function answer(context: PromptContext): string | null {
  return bullets("Answering", [
    mayChange(context)
      ? "Write for someone who did not watch. Lead with the outcome, then what changed and where, then how it was verified and what is open. A small change needs a sentence or two."
      : "Lead with the answer, then what it rests on, then what is open.",
    place,
    "Plain Markdown, no emoji, no flattery, no preamble, no summary of steps the user can see. Answer a question with the answer.",
    "Be honest about uncertainty. If the user is mistaken, say so with the evidence.",
  ])
}

function plan(): string | null {
  return bullets("The plan file", [
    "The goal in one sentence, then the steps in order, each with its files and what changes in them.",
    "Then what is left out on purpose, what may go wrong, and how to verify the result with commands that exist in this project.",
    place,
    "As short as the work allows, so that the user can judge it in a minute. Plain Markdown, no emoji, no flattery.",
  ])
}

function findings({ watched }: PromptContext): string | null {
  return bullets(watched ? "Answering" : "Your last message", [
    "Answer the question in the first sentence.",
    `Then the evidence, finding by finding. ${place}`,
    "Say what you looked for and did not find, and what you are not sure of.",
    !watched && "It must stand alone: who reads it has seen none of your searches.",
    "No preamble, no advice that was not asked for, no file contents at length.",
  ])
}

function result(context: PromptContext): string | null {
  return bullets("Your last message", [
    "It is your result, and all that the other agent gets. It must stand alone.",
    "If the brief asks for a form (fields, a list, JSON), keep to it exactly. Otherwise:",
    "First the outcome in one or two sentences: done, done in part, or not possible.",
    `What you found, each finding with its place. ${place}`,
    mayChange(context) && 'What you changed: every file, and what in it. "Nothing" if there is nothing.',
    "What you did not do, and why; what you assumed; what you noticed beside the work.",
    mayChange(context)
      ? "How it was checked: the command and the line that decides. If it was not checked, say so."
      : "How sure you are, and what that rests on.",
    "Facts for someone who must act on them: no greeting, no story of your steps, no file contents at length.",
  ])
}
