import { commandsOf } from "../../ground/message/notice-of.ts"
import type { Notice, Part, TextPart } from "../../ground/schema/index.ts"
import type { Stamp } from "../loop/stamp.ts"
import type { TurnContext } from "../loop/turn-context.ts"
import type { WritAnswer } from "../loop/writ-runner.ts"

const broken = "some of them may have taken effect. Look at how things stand before you repeat them."
const words = {
  running: "The commands above are being carried out.",
  stopped: `The commands above were stopped: ${broken}`,
  interrupted: `Docket was stopped while the commands above were carried out: ${broken}`,
} as const

/** A part's words and data while there are no results. */
function without(state: keyof typeof words): { text: string; notice: Notice } {
  return { text: words[state], notice: { kind: "commands", state, results: [] } }
}

/**
 * Carries commands out between two writes of one part: that they begin, and their results. So a crash never repeats
 * them, and none that has begun is forgotten. The second write may still be on its way when this resolves.
 */
export async function recordWrits(
  deps: Pick<Stamp, "createID">,
  turn: TurnContext,
  { message, run }: { message: { id: string; sessionID: string }; run: () => Promise<WritAnswer> },
): Promise<void> {
  const part: TextPart = {
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    synthetic: true,
    ...without("running"),
  }
  void turn.writer.part(part)
  await turn.writer.settled()
  try {
    const { text, results } = await run()
    void turn.writer.part({ ...part, text, notice: { kind: "commands", state: "done", results } })
  } catch (error) {
    void turn.writer.part({ ...part, ...without("stopped") })
    throw error
  }
}

/** Whether a part stands for commands: begun, ended or broken off. */
export function isWritRecord(part: Part): part is TextPart {
  return commandsOf(part) !== null
}

/** Says so when commands ended with the process that carried them out. */
export function closeWritRecord(turn: TurnContext, part: TextPart): void {
  if (commandsOf(part)?.state === "running") void turn.writer.part({ ...part, ...without("interrupted") })
}

/** The results of several texts as those of one. */
export function joinAnswers(answers: readonly WritAnswer[]): WritAnswer {
  return { text: answers.map(({ text }) => text).join("\n"), results: answers.flatMap(({ results }) => results) }
}
