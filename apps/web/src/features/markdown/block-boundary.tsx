"use client"

import { Component, type ReactNode } from "react"
import { PlainText } from "./plain-text.tsx"

interface BoundaryProps {
  /** The text of the block. */
  text: string
  children: ReactNode
}

/** A block that fails to render shows its source text, and the rest of the page still works. */
export class BlockBoundary extends Component<BoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <PlainText text={this.props.text} /> : this.props.children
  }
}
