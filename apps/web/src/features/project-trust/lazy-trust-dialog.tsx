"use client"

import { lazyDialog } from "../../ui/lazy-dialog.tsx"

/** The dialog is loaded when the user first opens it. */
export const LazyTrustDialog = lazyDialog(() => import("./trust-dialog.tsx").then((it) => it.TrustDialog))
