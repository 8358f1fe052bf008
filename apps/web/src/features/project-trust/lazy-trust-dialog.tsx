"use client"

import dynamic from "next/dynamic"
import { loadPart } from "../../ui/load-part.ts"

/** The dialog is loaded when someone first looks. */
export const LazyTrustDialog = dynamic(() => loadPart(() => import("./trust-dialog.tsx").then((it) => it.TrustDialog)))
