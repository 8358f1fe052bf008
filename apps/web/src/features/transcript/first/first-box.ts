import { firstScroller } from "./first-window.tsx"

/** The room of the rows that the page brought along (px): that of the live list behind them. */
export function firstBox(): { width: number; height: number } {
  const box = document.querySelector<HTMLElement>(firstScroller)
  return { width: box?.offsetWidth ?? 0, height: box?.offsetHeight ?? 0 }
}
