"use client"

import { lazyDialog } from "../../ui/lazy-dialog.tsx"

/** The dialog is loaded when someone first looks. */
export const LazyTrustDialog = lazyDialog(() => import("./trust-dialog.tsx").then((it) => it.TrustDialog))
