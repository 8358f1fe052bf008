import { type SilenceOptions, type SilenceWatch, usualSilence, watchSilence } from "./watch-silence.ts"

export interface FollowShareOptions {
  /** Address of the link's events. */
  url: string
  /** Sequence number of what the reader has. */
  since: number
  /** "reconnecting" from the loss of the connection until the next one is there. */
  onState(state: "live" | "reconnecting"): void
  /** Something changed, or the connection was refused: the reader's copy is to be read again. */
  onChange(): void
  /** The link is dead; nothing follows. */
  onRevoked(): void
  silence?: SilenceOptions
  /** That of the browser. */
  EventSource?: typeof globalThis.EventSource
}

/**
 * Follows what happens to a shared tree. A connection that says nothing for too long, not even a ping, is lost, though
 * the system holds it open: another takes up where it ended. Answers with what stops it.
 */
export function followShare({
  silence = usualSilence,
  EventSource = globalThis.EventSource,
  ...options
}: FollowShareOptions): () => void {
  let since = options.since
  let events: EventSource
  let watch: SilenceWatch
  const close = () => {
    watch.stop()
    events.close()
  }
  const open = () => {
    const source = new EventSource(`${options.url}?since=${since}`)
    events = source
    watch = watchSilence(silence, () => {
      source.close()
      options.onState("reconnecting")
      open()
    })
    source.onopen = () => {
      watch.heard()
      options.onState("live")
    }
    source.onmessage = ({ lastEventId }) => {
      watch.heard()
      since = sequenceOf(lastEventId) ?? since
      options.onChange()
    }
    source.addEventListener("ping", () => watch.heard())
    source.addEventListener("revoked", () => {
      close()
      options.onRevoked()
    })
    source.onerror = () => {
      options.onState("reconnecting")
      // Refused: the page itself finds out whether the link is dead. If it is not, silence opens another.
      if (source.readyState === EventSource.CLOSED) options.onChange()
    }
  }
  open()
  return close
}

/** The number in the cursor of an event, `<rootID>:<seq>`. */
function sequenceOf(cursor: string): number | null {
  const [, digits] = /:(\d+)$/.exec(cursor) ?? []
  return digits === undefined ? null : Number(digits)
}
