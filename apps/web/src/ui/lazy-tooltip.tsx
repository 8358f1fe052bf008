"use client"

import type { TooltipProps } from "@mantine/core"
import { type ComponentType, lazy } from "react"
import { loadPart } from "./load-part.ts"

/**
 * What places floating things weighs as much as a page: it comes when a pointer first rests on a button. A button has its
 * name without it, so nothing is said when it does not come.
 */
export const LazyTooltip = lazy<ComponentType<TooltipProps>>(() =>
  loadPart(() => import("./tooltip.ts").then((it) => ({ default: it.Tooltip }))).catch(() => ({ default: Nothing })),
)

function Nothing() {
  return null
}
