/** Texts of the app in the language of the person. */
import { en } from './en.js'

export const text = en
