// The types of parameters and results: one import is enough.
@_exported public import Diagnostics
@_exported public import MappingInference
@_exported public import MigrationPlanning
@_exported public import ModelEditing
@_exported public import ModelHashing
@_exported public import ModelLoading
@_exported public import ObjectModel
@_exported public import RowExchange
@_exported public import SQLiteAccess
@_exported public import StoreFormat
@_exported public import StoreMigration
