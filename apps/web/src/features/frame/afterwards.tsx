"use client"

import { useEffect } from "react"
import { useNews } from "../notify/use-news.ts"
import { keepFocus } from "./keep-focus.ts"

/** What the frame does once a page shows, and draws nothing: tells of news, and keeps focus on something. */
export function Afterwards() {
  useNews()
  useEffect(() => keepFocus(document), [])
  return null
}
