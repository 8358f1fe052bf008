"use client"

import { lazyDialog } from "../../ui/lazy-dialog.tsx"

/** A long text in a dialog over the page, as in the viewer of outputs. */
export const WholeText = lazyDialog(() => import("./whole-text-viewer.tsx").then((module) => module.WholeTextViewer))
