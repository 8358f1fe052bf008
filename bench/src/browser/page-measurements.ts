import type { Measurement, Stage } from "../measurement.ts"
import { median } from "../median.ts"
import { onceAStage } from "../once-a-stage.ts"
import { repeat } from "../overhead.ts"
import { desktop, phone } from "./conditions.ts"
import { delaysToPixel } from "./event-to-pixel.ts"
import { partsOfLongTranscript } from "./long-transcript.ts"
import { childCount, openSite, type Site } from "./open-site.ts"
import { type Replayed, replayOnce } from "./replay-visit.ts"
import { heapOf, launchBrowser, openVisit, type Scrolled, scrollUp } from "./visit.ts"

const parts = partsOfLongTranscript.toLocaleString("en")
const runs = 3
const conditions = `${phone.words}; ${desktop.words}; a tree of ${childCount} children, ${parts} parts in the root and in one child; medians of ${runs}, of frames the best run; a first visit has nothing in its cache`

/** The page of a long transcript in a real browser. These measurements need the built web app. */
export const pageMeasurements: Measurement[] = [
  row(`phone: first rows of ${parts} parts`, "ms", 1_800, (it) => median(it.phone.map(({ first }) => first))),
  row("phone: the same again, code in its cache", "ms", 1_800, (it) => median(it.phone.map(({ cached }) => cached))),
  row("phone: rows hear the reader, first visit", "ms", 5_000, (it) => median(it.phone.map(({ live }) => live))),
  row("phone: mean frame while it scrolls", "ms", 20, (it) => best(it.phone, "mean")),
  row("phone: longest frame", "ms", 100, (it) => best(it.phone, "longest")),
  row("phone: processor time a frame", "ms", 16, (it) => best(it.phone, "processor")),
  row("phone: elements, at most", "", 1_500, (it) => mostElements(it.phone)),
  row("phone: heap after that", "MiB", 60, (it) => median(it.phone.map(({ heap }) => heap))),
  row("desktop: interactive", "ms", 500, (it) => median(it.desktop.map(({ interactive }) => interactive))),
  row("desktop: linked row of a child on screen", "ms", 1_200, (it) => median(it.desktop.map(({ linked }) => linked))),
  row("event to pixel, median", "ms", 150, (it) => median(it.delays)),
  row("event to pixel, p95", "ms", 150, (it) => percentile(it.delays, 0.95)),
  row("review desk on a phone: first rows", "ms", 1_800, (it) => median(it.deskOnPhone.map(({ first }) => first))),
  row("review desk on a phone: mean frame", "ms", 20, (it) => best(it.deskOnPhone, "mean")),
  row("review desk on a phone: longest frame", "ms", 100, (it) => best(it.deskOnPhone, "longest")),
  row("review desk on a phone: elements, at most", "", 1_500, (it) => mostElements(it.deskOnPhone)),
  row("review desk on a phone: heap after that", "MiB", 60, (it) => median(it.deskOnPhone.map(({ heap }) => heap))),
  row("review desk: first rows", "ms", 500, (it) => median(it.desk.map(({ first }) => first))),
  row("review desk: interactive", "ms", 500, (it) => median(it.desk.map(({ interactive }) => interactive))),
  row("replay: open", "ms", 1_200, (it) => median(it.replay.map(({ opened }) => opened))),
  row("replay: rows of another time", "ms", 1_000, (it) => median(it.replay.map(({ sought }) => sought))),
  row("replay: longest frame meanwhile", "ms", 100, (it) => Math.min(...it.replay.map(({ longest }) => longest))),
  row("shift of the layout then, worst of both", "", 0.02, (it) => Math.max(...it.shifts)),
]

interface Figures {
  phone: { first: number; cached: number; live: number; scrolled: Scrolled; heap: number }[]
  desktop: { interactive: number; linked: number }[]
  deskOnPhone: { first: number; scrolled: Scrolled; heap: number }[]
  desk: { first: number; interactive: number }[]
  replay: Replayed[]
  delays: number[]
  shifts: number[]
}

function row(label: string, unit: Measurement["unit"], aim: number, pick: (figures: Figures) => number): Measurement {
  const measure = async (stage: Stage) => Math.round(pick(await figures(stage)) * 1_000) / 1_000
  return { name: "browser", label, unit, aim, opencode: "–", onlyByName: true, conditions, measure }
}

type Scroll = { scrolled: Scrolled }

function mostElements(visits: readonly Scroll[]): number {
  return Math.max(...visits.map(({ scrolled }) => scrolled.elements))
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN
}

function best(visits: readonly Scroll[], kind: "mean" | "longest" | "processor"): number {
  return Math.min(...visits.map(({ scrolled }) => scrolled[kind]))
}

/** All numbers come from the same visits. */
const figures = onceAStage(visitAll)

async function visitAll(stage: Stage): Promise<Figures> {
  const site = await openSite(stage)
  const browser = await launchBrowser()
  try {
    const open = (on: typeof phone) => openVisit(browser, site, on)
    const onPhone = await repeat(runs, () => visitOnPhone(open, site))
    const onDesktop = await repeat(runs, () => visitOnDesktop(open, site))
    const deskOnPhone = await repeat(runs, () => visitDeskOnPhone(open, site))
    const desk = await repeat(runs, () => visitDesk(open, site))
    const replay = await repeat(runs, () => replayOnce(() => open(desktop), site))
    // Done last, because it makes the transcript longer.
    const delays = await delaysToPixel(() => open(desktop), site)
    const views = { deskOnPhone, desk, replay, delays }
    return {
      ...views,
      phone: onPhone,
      desktop: onDesktop,
      shifts: [...onPhone, ...onDesktop].map(({ shift }) => shift),
    }
  } finally {
    await browser.close()
    await site.close()
  }
}

type Open = (on: typeof phone) => ReturnType<typeof openVisit>

async function visitOnPhone(open: Open, site: Site) {
  const visit = await open(phone)
  const { rows, live } = await visit.open(site.root)
  const cached = (await visit.open(site.root)).rows ?? Number.NaN
  const scrolled = await scrollUp(visit)
  const heap = await heapOf(visit)
  const { shift } = await visit.open(site.deepLink)
  await visit.close()
  return { first: rows ?? Number.NaN, cached, live: live ?? Number.NaN, scrolled, heap, shift }
}

async function visitOnDesktop(open: Open, site: Site) {
  const visit = await open(desktop)
  const { live, lastLongTask } = await visit.open(site.root)
  const { linked, shift } = await visit.open(site.deepLink)
  await visit.close()
  return { interactive: Math.max(live ?? Number.NaN, lastLongTask), linked: linked ?? Number.NaN, shift }
}

async function visitDeskOnPhone(open: Open, site: Site) {
  const visit = await open(phone)
  const { rows } = await visit.open(site.review)
  const scrolled = await scrollUp(visit)
  const heap = await heapOf(visit)
  await visit.close()
  return { first: rows ?? Number.NaN, scrolled, heap }
}

async function visitDesk(open: Open, site: Site) {
  const visit = await open(desktop)
  const { rows, live, lastLongTask } = await visit.open(site.review)
  await visit.close()
  return { first: rows ?? Number.NaN, interactive: Math.max(live ?? Number.NaN, lastLongTask) }
}
