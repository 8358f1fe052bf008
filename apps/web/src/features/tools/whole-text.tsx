"use client"

import { lazyDialog } from "../../ui/lazy-dialog.tsx"

/** A long text over the page, in the viewer of outputs. */
export const WholeText = lazyDialog(() => import("./whole-text-viewer.tsx").then((module) => module.WholeTextViewer))
