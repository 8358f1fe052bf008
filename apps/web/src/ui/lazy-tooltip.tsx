"use client"

import type { TooltipProps } from "@mantine/core"
import { type ComponentType, lazy } from "react"
import { loadPart } from "./load-part.ts"

/**
 * A tooltip whose code is loaded when a pointer first rests on a button, because the positioning code is large. A load
 * failure is ignored: the button has its name without it.
 */
export const LazyTooltip = lazy<ComponentType<TooltipProps>>(() =>
  loadPart(() => import("./tooltip.ts").then((it) => ({ default: it.Tooltip }))).catch(() => ({ default: Nothing })),
)

function Nothing() {
  return null
}
