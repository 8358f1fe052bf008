import type { ReplayAxis } from "@docket/core/replay"
import { Button } from "@mantine/core"
import { ChevronLeft, ChevronRight, Link2, Pause, Play } from "lucide-react"
import { useCopy } from "../../shell/use-copy.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { Range } from "../../ui/range.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import styles from "./replay.module.css"
import { addressAt } from "./replay-address.ts"
import type { Tick } from "./ticks.ts"
import { type Playback, type Speed, speeds } from "./use-playback.ts"

const speedLabels: Record<Speed, string> = { "1": "1×", "10": "10×", events: "Events" }
const speedNames: Record<Speed, string> = {
  "1": "1×, as fast as it happened",
  "10": "10×, ten times as fast",
  events: "Events, from one to the next",
}

/** Number of slider positions. */
const sliderSteps = 1_000

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" })
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" })

interface ReplayBarProps {
  playback: Playback
  axis: ReplayAxis
  ticks: readonly Tick[]
  /** Returns to the live page. */
  onLive(): void
}

/** The time line of a tree: the current position, the milestones, and the playback controls. */
export function ReplayBar({ playback, axis, ticks, onLive }: ReplayBarProps) {
  const { at, playing, step, toggle, seek } = playback
  const copy = useCopy()
  useKeys({ p: toggle, ",": () => step(-1), ".": () => step(1), Escape: onLive })
  return (
    <section className={styles.bar} aria-label="Replay">
      <div className={styles.line}>
        <div className={styles.ticks} aria-hidden>
          {ticks.map(({ kind, left }) => (
            <span key={`${kind}:${left}`} data-kind={kind} style={{ left: `${left}%` }} />
          ))}
        </div>
        <Range
          className={styles.slider ?? ""}
          aria-label="Time of the session"
          aria-valuetext={momentText(at)}
          min={0}
          max={sliderSteps}
          value={Math.round(axis.positionOf(at) * sliderSteps)}
          onChange={(event) => seek(axis.timeAt(Number(event.currentTarget.value) / sliderSteps))}
          onKeyDown={(event) => {
            const side = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 } as const
            if (!(event.key in side)) return
            event.preventDefault()
            step(side[event.key as keyof typeof side])
          }}
        />
      </div>
      <div className={styles.controls}>
        <IconButton label="Event before" onClick={() => step(-1)} disabled={at <= axis.from}>
          <ChevronLeft size={16} />
        </IconButton>
        <IconButton label={playing ? "Pause" : "Play"} variant="filled" onClick={toggle}>
          {playing ? <Pause size={15} /> : <Play size={15} />}
        </IconButton>
        <IconButton label="Event after" onClick={() => step(1)} disabled={at >= axis.until}>
          <ChevronRight size={16} />
        </IconButton>
        <fieldset className={styles.speeds}>
          <legend className="visually-hidden">Speed</legend>
          {speeds.map((speed) => (
            <button
              key={speed}
              type="button"
              aria-pressed={playback.speed === speed}
              aria-label={speedNames[speed]}
              title={speedNames[speed]}
              onClick={() => playback.setSpeed(speed)}
            >
              {speedLabels[speed]}
            </button>
          ))}
        </fieldset>
        <time className={styles.clock} dateTime={new Date(at).toISOString()}>
          {momentText(at)}
        </time>
        <IconButton
          label="Copy a link to this moment"
          onClick={() => {
            const { location } = window
            void copy(`${location.origin}${addressAt(location, at)}`, "a link to this moment", { toast: true })
          }}
        >
          <Link2 size={15} />
        </IconButton>
        <Button className={styles.live} onClick={onLive}>
          Live
        </Button>
      </div>
    </section>
  )
}

function momentText(at: number): string {
  const time = clock.format(at)
  return new Date(at).toDateString() === new Date().toDateString() ? time : `${day.format(at)}, ${time}`
}
