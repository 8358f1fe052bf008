import { firstScroller } from "./first-window.tsx"

/** Size of the scroll area of the server-rendered rows (px). The live list behind them has the same size. */
export function firstBox(): { width: number; height: number } {
  const box = document.querySelector<HTMLElement>(firstScroller)
  return { width: box?.offsetWidth ?? 0, height: box?.offsetHeight ?? 0 }
}
