/**
 * Names are camelCase in the program and snake_case in the database. Kysely's plugin rewrites the tree of every query for that, which takes
 * longer than compiling it; the compiler writes each name down anyway, so it is the one to change them.
 */
import {
  CamelCasePlugin,
  PostgresDialect,
  PostgresQueryCompiler,
  type PluginTransformQueryArgs,
  type RootOperationNode,
} from 'kysely'

/** Of results only. */
class ResultNames extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node
  }

  inDatabase(name: string): string {
    return this.snakeCase(name)
  }
}

/** What is inside of a JSON value keeps its names. */
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
