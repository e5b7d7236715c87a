/** Texts of the rich editor's document in the language of the person; they load with the editor. */
import { enDocument } from './en-document.js'

export const documentText = enDocument
