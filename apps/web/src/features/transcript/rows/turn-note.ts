"use client"

import { createContext, type ReactNode } from "react"

/** What a page shows in the line that ends a turn, by the id of the turn's prompt; null where it shows nothing. */
export const TurnNoteContext = createContext<((promptID: string) => ReactNode) | null>(null)
