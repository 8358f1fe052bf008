import { anchoredText } from "@docket/core/message"
import type { AnchoredText, Part, ReviewPlace } from "@docket/core/schema"
import { partAttribute, textAttribute } from "../commenting/selected-text.ts"
import { type Drawn, placeSelection, type TextRange } from "./place-selection.ts"
import { visibleMarkdown } from "./visible-markdown.ts"
import { visibleInputs, visibleOutputs } from "./visible-output.ts"
import type { VisibleText } from "./visible-text.ts"

/** Text selected in a part, with all the text drawn around it. */
export interface SelectedText {
  partID: string
  /** Which text of the part is drawn, if it is marked. */
  of: string | null
  drawn: Drawn
  words: string
}

/** Elements inside a drawn text that do not belong to it. */
const foreignElements = "button, [aria-hidden=true], .visually-hidden"

/** The text nodes of an element. */
export function drawnTexts(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && node.parentElement?.closest(foreignElements) == null) texts.push(node)
  }
  return texts
}

/** The selected text inside the part where the selection begins; null without one. */
export function readSelection(selection: Selection | null): SelectedText | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const start = range.startContainer instanceof Element ? range.startContainer : range.startContainer.parentElement
  const part = start?.closest(`[${partAttribute}]`)
  const words = selection.toString().trim()
  const partID = part?.getAttribute(partAttribute) ?? null
  if (part == null || partID === null || words === "") return null
  const text = start?.closest(`[${textAttribute}]`)
  const around = text != null && part.contains(text) && text.contains(range.endContainer) ? text : part
  return { partID, of: around.getAttribute(textAttribute), drawn: drawnIn(around, range), words }
}

function drawnIn(element: Element, range: Range): Drawn {
  const texts: string[] = []
  let length = 0
  let from = -1
  let to = 0
  for (const node of drawnTexts(element)) {
    const { data } = node
    if (range.intersectsNode(node)) {
      const begin = node === range.startContainer ? range.startOffset : 0
      const end = node === range.endContainer ? range.endOffset : data.length
      if (from < 0) from = length + begin
      to = length + end
    }
    texts.push(data)
    length += data.length
  }
  return { text: texts.join(""), from: Math.max(0, from), to }
}

/** All the ways in which the app may draw this text of a part. */
export function waysToDraw(part: Part, of: AnchoredText): VisibleText[] {
  const source = anchoredText(part, of)
  if (source === null) return []
  if (of === "text") return [visibleMarkdown(source)]
  return of === "input" ? visibleInputs(source) : [...visibleOutputs(source), visibleMarkdown(source)]
}

/** The place of selected text in its part: an exact range, or else the whole part. */
export function placeOfText(part: Part, { of, drawn }: SelectedText): ReviewPlace {
  const { messageID, id: partID } = part
  for (const text of textsOf(part, of)) {
    for (const way of waysToDraw(part, text)) {
      const range: TextRange | null = placeSelection(way, drawn)
      if (range !== null) return { kind: "text", messageID, partID, of: text, ...range }
    }
  }
  return { kind: "part", messageID, partID }
}

function textsOf(part: Part, of: string | null): AnchoredText[] {
  if (part.type !== "tool") return ["text"]
  if (of === "input" || of === "output") return [of]
  return ["output", "input"]
}
