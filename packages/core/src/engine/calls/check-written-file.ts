import type { LanguagePlace, LanguageServers } from "../../acts/tool/language-servers.ts"
import type { Plug } from "../loop/hooks.ts"
import type { SessionNotes } from "../loop/session-notes.ts"
import type { TurnContext } from "../loop/turn-context.ts"

interface CheckWrittenDeps {
  servers: Pick<LanguageServers, "check">
  notes: Pick<SessionNotes, "add">
  placeOf(turn: TurnContext): Promise<LanguagePlace>
  onError(error: unknown): void
}

/**
 * Asks language servers about each file that a tool writes. What they say in time joins the result of the call; what
 * comes later reaches the next step.
 */
export function checkWrittenFiles({ servers, notes, placeOf, onError }: CheckWrittenDeps): Plug {
  return {
    async fileChanged(file, { turn, progress }, before) {
      if (turn.config.lsp === false) return null
      const place = await placeOf(turn)
      return servers.check(place, file, {
        before,
        signal: turn.signal,
        onWait: (waitsFor) => progress?.({ waitsFor: [...waitsFor] }),
        onLate(text) {
          notes.add(turn.session, { text, quiet: true }).catch(onError)
        },
      })
    },
  }
}
