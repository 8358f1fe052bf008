import type { Page } from "@playwright/test"

/** The page's own measurements of its rows since the previous call. */
export interface RowSamples {
  samples: number
  /** Samples without a visible row, after the first with one at this address. */
  blank: { path: string; at: number }[]
  /** Minimum height of the area for rows (px). */
  lowest: number | null
  /** Maximum time from a navigation to its first row (ms). */
  slowest: number
}

/** A row that the reader looks at, and the position of its top in the window (px). */
export interface Anchor {
  row: string
  kind: string
  top: number
}

// Strings, because these files are type-checked without the DOM.
const helpers = `
  const feed = () => document.querySelector('[role=feed]')
  const rows = () => [...document.querySelectorAll('article[data-row]')]
  const space = () => (feed()?.parentElement ?? document.body).getBoundingClientRect()
  const inSight = (row) => {
    const { top, bottom, height } = row.getBoundingClientRect()
    const within = space()
    return height > 0 && bottom > within.top && top < within.bottom
  }
`

/** Runs in each page: checks four times a second whether a row is visible. */
export const watchRows = `(() => {
  ${helpers}
  const fresh = () => ({ samples: 0, blank: [], lowest: null, slowest: 0 })
  let seen = fresh()
  let path = ''
  let since = 0
  let shown = false
  const look = () => {
    if (location.pathname !== path) {
      path = location.pathname
      since = performance.now()
      shown = false
    }
    if (!/^\\/s\\/ses_/.test(path) || document.visibilityState !== 'visible') return
    seen.samples += 1
    if (rows().some(inSight)) {
      if (!shown) seen.slowest = Math.max(seen.slowest, Math.round(performance.now() - since))
      shown = true
      if (feed()) seen.lowest = Math.min(seen.lowest ?? Infinity, Math.round(space().height))
    } else if (shown) seen.blank.push({ path, at: Date.now() })
  }
  setInterval(() => requestAnimationFrame(look), 250)
  globalThis.takeSamples = () => {
    const taken = seen
    seen = fresh()
    return taken
  }
})()`

export function takeSamples(page: Page): Promise<RowSamples> {
  return page.evaluate<RowSamples>("takeSamples()")
}

/** A visible row that will not change: text, not a call that may be folded with others. */
export function findAnchor(page: Page): Promise<Anchor | null> {
  return page.evaluate<Anchor | null>(`(() => {
    ${helpers}
    const seen = rows().filter(inSight)
    const words = seen.filter((row) => ['prompt', 'part'].includes(row.dataset.kind) && !row.querySelector('[aria-expanded]'))
    const row = words.at(-1) ?? null
    return row && { row: row.dataset.row, kind: row.dataset.kind, top: Math.round(row.getBoundingClientRect().top) }
  })()`)
}

/** The position of that row's top in the window (px); null when it is not in the page. */
export function topOf(page: Page, { row }: Anchor): Promise<number | null> {
  return page.evaluate<number | null>(`(() => {
    ${helpers}
    const row = rows().find((it) => it.dataset.row === ${JSON.stringify(row)})
    return row ? Math.round(row.getBoundingClientRect().top) : null
  })()`)
}

export function countElements(page: Page): Promise<number> {
  return page.evaluate<number>("document.querySelectorAll('*').length")
}

/** The state of a page, for the analysis of a fault. */
export function readState(page: Page): Promise<unknown> {
  return page.evaluate<unknown>(`(() => {
    ${helpers}
    const scroller = feed()?.parentElement
    return {
      path: location.pathname,
      scroll: scroller && { top: scroller.scrollTop, height: scroller.scrollHeight, client: scroller.clientHeight },
      focus: document.activeElement?.outerHTML.slice(0, 200),
      buttons: [...document.querySelectorAll('button')].map((it) => it.textContent).filter((it) => /latest|new part/.test(it)),
      feed: feed() && { label: feed().ariaLabel, busy: feed().ariaBusy, style: feed().getAttribute('style') },
      rows: rows().map((row) => {
        const { top, height } = row.getBoundingClientRect()
        return [row.dataset.index, row.dataset.kind, row.dataset.row, Math.round(top), Math.round(height), row.ariaLabel].join(' ')
      }),
      places: JSON.parse(sessionStorage.getItem('docket-places-1') ?? '[]').slice(-3),
    }
  })()`)
}
