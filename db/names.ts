/**
 * Names are camelCase in the program and snake_case in the database. Kysely's plugin rewrites the tree of every query,
 * which takes longer than compiling it. Our compiler converts each name while it writes it down anyway.
 */
import {
  CamelCasePlugin,
  PostgresDialect,
  PostgresQueryCompiler,
  type PluginTransformQueryArgs,
  type RootOperationNode,
} from 'kysely'

/** Converts the names of results only. */
class ResultNames extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  inDatabase(name: string): string {
    return this.snakeCase(name)
  }
}

/** Names inside JSON values are not converted. */
export const resultNames = new ResultNames({ maintainNestedObjectKeys: true })

class SnakeCaseCompiler extends PostgresQueryCompiler {
  protected override sanitizeIdentifier(name: string): string {
    return super.sanitizeIdentifier(resultNames.inDatabase(name))
  }
}

export class SnakeCaseDialect extends PostgresDialect {
  override createQueryCompiler(): SnakeCaseCompiler {
    return new SnakeCaseCompiler()
  }
}
