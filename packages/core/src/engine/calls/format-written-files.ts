import { describeFormatting } from "../../acts/tool/describe-formatting.ts"
import type { FormatPlace, Formatters } from "../../acts/tool/formatters.ts"
import { planAgent } from "../../setup/agent/builtin-agents.ts"
import type { Plug } from "../loop/hooks.ts"
import type { TurnContext } from "../loop/turn-context.ts"

interface FormatWrittenDeps {
  formatters: Formatters
  placeOf(turn: TurnContext): Promise<FormatPlace>
}

/** Lets the project's formatter have each text before a tool writes it. The model is told what it changed, or why not. */
export function formatWrittenFiles({ formatters, placeOf }: FormatWrittenDeps): Plug {
  /** What was told in a turn of formatters that cannot run, once for all its files. */
  const told = new WeakMap<TurnContext, Set<string>>()
  const isNew = (turn: TurnContext, formatter: string) => {
    const known = told.get(turn) ?? new Set()
    told.set(turn, known)
    return known.size < known.add(formatter).size
  }
  return {
    async beforeWrite(texts, { turn }) {
      // Plan mode starts nothing for the plan that it writes.
      if (turn.config.formatter === false || turn.agent.name === planAgent) return texts
      const done = await formatters.format(await placeOf(turn), texts, turn.signal)
      return texts.map((planned, at) => {
        const made = done[at] ?? null
        if (made === null) return planned
        const { name, text, mayShow, notes } = planned
        if ("fault" in made) {
          if (made.isLasting && !isNew(turn, made.formatter)) return planned
          // An error may quote lines.
          const fault = mayShow ? made.fault : `${made.formatter} did not format ${name}.`
          return { ...planned, notes: [...notes, `[${fault}]`] }
        }
        if (made.text === text) return planned
        const note = mayShow
          ? describeFormatting(made.formatter, name, { text, formatted: made.text })
          : `${made.formatter} formatted ${name} before it was written.`
        return { ...planned, text: made.text, notes: [...notes, note] }
      })
    },
  }
}
