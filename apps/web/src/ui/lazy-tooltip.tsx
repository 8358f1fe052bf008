"use client"

import { lazy } from "react"
import { loadPart } from "./load-part.ts"

/** What places floating things weighs as much as a page: it comes when a pointer first rests on a button. */
export const LazyTooltip = lazy(() => loadPart(() => import("./tooltip.ts").then((it) => ({ default: it.Tooltip }))))
