/** Members of a body that carries an unsaved text of a page. */
import Type from 'typebox'
import { limits } from './limits.js'
import { Identifier } from './shapes.js'

export const unsavedText = {
  page: Type.String({ ...Identifier, description: 'Id of the page whose text it is, a document.' }),
  markdown: Type.String({ maxLength: limits.bodyBytes, description: 'The text, with its front matter.' }),
}
